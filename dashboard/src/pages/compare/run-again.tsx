/**
 * Starts the same comparison again, with its stored options. Headers and credentials in URLs were erased after the
 * first run; a comparison that had any is started from the form, which says what is missing.
 */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { useScope } from '../../api/session';
import type { Comparison } from '../../api/types';
import { textOf } from '../../ui/states';

export function RunAgain({ comparison: { comparisonId, options } }: { comparison: Comparison }) {
  const mayWrite = useScope('compare:write');
  const navigate = useNavigate();
  const form = { to: '/compare/new', search: { from: comparisonId } } as const;
  const again = useMutation({
    async mutationFn() {
      if (options.erased?.length) return navigate(form);
      const params = { path: { comparisonId } };
      const { comparisonId: id } = await unwrap(api.POST('/api/compare/{comparisonId}/again', { params }));
      return navigate({ to: '/compare/$id', params: { id } });
    },
  });
  if (!mayWrite) return null;
  return (
    <>
      {again.error ? (
        <span role="alert" className="fault">
          {textOf(again.error)}
        </span>
      ) : null}
      <Link {...form} className="button">
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
