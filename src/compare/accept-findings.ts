/**
 * Accepts findings of a pair's comparisons into its baseline, and applies that baseline to later ones. Entries have the
 * format of a baseline file and match by path and value.
 */
import { SondeError } from '../errors.js';
import type { AcceptedFinding } from './comparison-store.js';
import type { EnvDiff } from './env-diff.js';
import { applyBaseline, type BaselineEntry, baselineOf } from './suite/baseline.js';

export interface Acceptance {
  /** The URL that was requested on the right side. */
  readonly url: string;
  /** Ids of the findings to accept; by default all that count. */
  readonly findings?: readonly string[];
  readonly expires?: string;
  readonly reason?: string;
}

export function acceptFindings(
  diff: EnvDiff,
  { url, findings: ids, expires, reason }: Acceptance,
): readonly BaselineEntry[] {
  const options = { ...(expires !== undefined && { expires }), ...(reason !== undefined && { reason }) };
  const entriesOf = (findings: EnvDiff['findings']) =>
    baselineOf([{ url, diff: { ...diff, findings } }], options).entries;
  if (!ids) return entriesOf(diff.findings);
  const byId = new Map(diff.findings.map((finding) => [finding.id, finding]));
  return ids.flatMap((id) => {
    const finding = byId.get(id);
    if (!finding) throw refused(id, 'is not a finding of this comparison');
    const entries = entriesOf([finding]);
    if (entries.length > 0) return entries;
    throw refused(id, 'does not count for the verdict, so there is nothing to accept');
  });
}

function refused(id: string, why: string): SondeError {
  return new SondeError('INVALID_REQUEST', `body.findings: "${id.slice(0, 200)}" ${why}.`, {
    details: { field: 'body.findings' },
  });
}

/** The diff with accepted findings marked as known, and judged again. */
export function withAccepted(
  diff: EnvDiff,
  accepted: readonly AcceptedFinding[],
  context: { readonly today: string; readonly url: string },
): EnvDiff {
  if (accepted.length === 0) return diff;
  return applyBaseline(diff, { version: 2, entries: accepted.map(({ entry }) => entry) }, context);
}
