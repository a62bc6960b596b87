/**
 * The row that a job works on: a comparison or a suite, if any. Ending such a job without its run also ends the row,
 * in the same call, so that no reader waits in vain; a row that has already ended stays as it is.
 */
import {
  COMPARISON_CANCELED,
  type ComparisonKey,
  type ComparisonStore,
  type EnvDiff,
  SUITE_LIMITS,
  type SuiteKey,
  type SuiteStore,
} from '../compare/index.js';
import { explainDiff } from '../explain/index.js';
import type { Job } from '../jobs/index.js';

export interface CompareRows {
  readonly comparisons: Pick<ComparisonStore, 'failComparison' | 'getComparison' | 'saveExplanation'>;
  readonly suites: Pick<SuiteStore, 'endSuite' | 'getSuitePaths'>;
}

export interface RowEnd {
  readonly code: string;
  readonly message: string;
}

export const CANCELED = JSON.parse(COMPARISON_CANCELED) as RowEnd;

/** The run was lost with its worker or its platform, or its create failed before there was a job. */
export const INTERRUPTED: RowEnd = {
  code: 'interrupted',
  message: 'the run was interrupted and cannot be resumed',
};

export async function endRow(
  { kind, tenantId, payload }: Pick<Job, 'kind' | 'tenantId' | 'payload'>,
  rows: CompareRows,
  end: RowEnd,
): Promise<void> {
  if (kind === 'compare') {
    const { comparisonId } = payload as ComparisonKey;
    await endComparison({ tenantId, comparisonId }, rows, end);
  } else if (kind === 'suite') {
    const { suiteId } = payload as SuiteKey;
    await endSuite({ tenantId, suiteId }, rows, end);
  }
}

/** One that has its result keeps it; then only the explanation is canceled, so that its readers need not wait. */
async function endComparison(key: ComparisonKey, { comparisons }: CompareRows, end: RowEnd): Promise<void> {
  if (await comparisons.failComparison({ ...key, error: JSON.stringify(end) })) return;
  const row = await comparisons.getComparison(key);
  if (row?.explanation.state !== 'pending' || row.resultJson === null) return;
  const { diff } = JSON.parse(row.resultJson) as { readonly diff: EnvDiff };
  const textJson = JSON.stringify({ ...explainDiff(diff), error: end });
  await comparisons.saveExplanation({ ...key, state: 'failed', textJson, model: null, promptVersion: null });
}

/**
 * Ends a suite and the comparisons that it is at. A path is begun only when one before it has ended, so those are
 * among the first without an outcome; one that is begun at this very moment is ended by its run.
 */
async function endSuite(key: SuiteKey, rows: CompareRows, end: RowEnd): Promise<void> {
  await rows.suites.endSuite({ ...key, error: JSON.stringify(end) });
  const first = { ...key, after: -1, limit: SUITE_LIMITS.lanes, openOnly: true };
  for (const { comparisonId } of await rows.suites.getSuitePaths(first)) {
    await endComparison({ tenantId: key.tenantId, comparisonId }, rows, end);
  }
}
