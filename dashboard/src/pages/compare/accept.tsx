/** Accepts findings into the pair's baseline, and undoes it. A finished comparison keeps its verdict. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { baselineQuery } from '../../api/compare';
import { useScope } from '../../api/session';
import type { Comparison, Finding } from '../../api/types';
import { State } from '../../ui/mark';
import { useShortcuts } from '../../ui/shortcuts';
import { textOf } from '../../ui/states';
import { count } from '../../ui/time';
import { isAcceptable } from './finding-filter';

function useBaseline({ pairKey, comparisonId }: Comparison) {
  const queries = useQueryClient();
  const query = baselineQuery(pairKey);
  const accepted = useQuery(query).data?.entries ?? [];
  const onSuccess = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const accept = useMutation({
    mutationFn: (findings: string[]) =>
      unwrap(
        api.POST('/api/pairs/{pairKey}/baseline', {
          params: { path: { pairKey } },
          body: { comparisonId, findings },
        }),
      ),
    onSuccess,
  });
  const undo = useMutation({
    mutationFn: (entryId: string) =>
      unwrap(
        api.DELETE('/api/pairs/{pairKey}/baseline/{entryId}', { params: { path: { pairKey, entryId } } }),
      ),
    onSuccess,
  });
  return { accepted, accept, undo };
}

export function Accept({ comparison, finding }: { comparison: Comparison; finding: Finding }) {
  const mayWrite = useScope('compare:write');
  const { accepted, accept, undo } = useBaseline(comparison);
  const entry = accepted.find(({ entryId }) => entryId === finding.valueFingerprint);
  const acceptable = entry === undefined && isAcceptable(finding);
  useShortcuts({
    a: () => mayWrite && acceptable && accept.mutate([finding.id]),
    u: () => mayWrite && entry && undo.mutate(entry.entryId),
  });
  if (!mayWrite) return entry ? <State tone="muted">Accepted</State> : null;
  return (
    <>
      {entry ? (
        <button type="button" className="button" onClick={() => undo.mutate(entry.entryId)}>
          Undo acceptance
        </button>
      ) : null}
      {acceptable ? (
        <button type="button" className="button" onClick={() => accept.mutate([finding.id])}>
          Accept
        </button>
      ) : null}
      {entry ? <State tone="muted">Accepted from the next run on</State> : null}
      <Fault error={accept.error ?? undo.error} />
    </>
  );
}

function Fault({ error }: { error: Error | null }) {
  return error ? (
    <span role="alert" className="fault">
      {textOf(error)}
    </span>
  ) : null;
}

/** Shows how many findings it accepts, and asks for confirmation. */
export function AcceptAll({
  comparison,
  findings,
}: {
  comparison: Comparison;
  findings: readonly Finding[];
}) {
  const mayWrite = useScope('compare:write');
  const dialog = useRef<HTMLDialogElement>(null);
  const { accepted, accept } = useBaseline(comparison);
  const [done, setDone] = useState(0);
  const known = new Set(accepted.map(({ entryId }) => entryId));
  const open = findings.filter((finding) => isAcceptable(finding) && !known.has(finding.valueFingerprint));
  if (!mayWrite || open.length < 2)
    return done > 0 ? <p role="status">Accepted {count(done, 'finding')}.</p> : null;
  const run = () => {
    const { length } = open;
    accept.mutate(
      open.map(({ id }) => id),
      { onSuccess: () => setDone(length) },
    );
    dialog.current?.close();
  };
  return (
    <div className="actions">
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        Accept all ({open.length})
      </button>
      <Fault error={accept.error} />
      <dialog ref={dialog} className="dialog" aria-labelledby="accept-all">
        <h2 id="accept-all">Accept {count(open.length, 'finding')}?</h2>
        <p>
          Later comparisons of this pair show them as accepted, as long as both values stay as they are now.
        </p>
        <form method="dialog" className="actions">
          <button type="button" className="button primary" onClick={run}>
            Accept {open.length}
          </button>
          <button type="submit" className="button">
            Keep them open
          </button>
        </form>
      </dialog>
    </div>
  );
}
