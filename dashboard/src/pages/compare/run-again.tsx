/** Starts the same comparison again. Headers were erased after the first run, so a pair with headers needs the form. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { useScope } from '../../api/session';
import type { Comparison } from '../../api/types';

export function RunAgain({ comparison }: { comparison: Comparison }) {
  const { leftUrl, rightUrl, leftLabel, rightLabel, result } = comparison;
  const mayWrite = useScope('compare:write');
  const navigate = useNavigate();
  const again = useMutation({
    async mutationFn() {
      const samples = result?.diff.samples.left.total ?? 3;
      const body = {
        leftUrl,
        rightUrl,
        samples: Math.max(1, samples),
        ...(leftLabel !== undefined && { leftLabel }),
        ...(rightLabel !== undefined && { rightLabel }),
      };
      const { comparisonId } = await unwrap(api.POST('/api/compare', { body }));
      await navigate({ to: '/compare/$id', params: { id: comparisonId } });
    },
  });
  if (!mayWrite) return null;
  return (
    <>
      <Link
        to="/compare/new"
        search={{
          left: leftUrl,
          right: rightUrl,
          ...(leftLabel !== undefined && { leftLabel }),
          ...(rightLabel !== undefined && { rightLabel }),
        }}
        className="button"
      >
        Edit and run
      </Link>
      <button
        type="button"
        className="button primary"
        disabled={again.isPending}
        onClick={() => again.mutate()}
      >
        Run again
      </button>
    </>
  );
}
