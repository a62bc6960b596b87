/**
 * Ends the row that a job works on: a comparison or a suite, if any. When such a job is ended without its run, the row
 * is ended in the same call, so that no reader waits in vain. A row that has already ended is unchanged.
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

/** The run was lost with its worker or its platform, or the job could not be created. */
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

/** A comparison with a result keeps it; then only a pending explanation is ended, so that no reader waits for it. */
async function endComparison(key: ComparisonKey, { comparisons }: CompareRows, end: RowEnd): Promise<void> {
  if (await comparisons.failComparison({ ...key, error: JSON.stringify(end) })) return;
  const row = await comparisons.getComparison(key);
  if (row?.explanation.state !== 'pending' || row.resultJson === null) return;
  const { diff } = JSON.parse(row.resultJson) as { readonly diff: EnvDiff };
  const textJson = JSON.stringify({ ...explainDiff(diff), error: end });
  await comparisons.saveExplanation({ ...key, state: 'failed', textJson, model: null, promptVersion: null });
}

/**
 * Ends a suite and its running comparisons. A path starts only when one before it has ended, so the running ones are
 * among the first without an outcome. A comparison that starts at this very moment is ended by its own run.
 */
async function endSuite(key: SuiteKey, rows: CompareRows, end: RowEnd): Promise<void> {
  await rows.suites.endSuite({ ...key, error: JSON.stringify(end) });
  const first = { ...key, after: -1, limit: SUITE_LIMITS.lanes, openOnly: true };
  for (const { comparisonId } of await rows.suites.getSuitePaths(first)) {
    await endComparison({ tenantId: key.tenantId, comparisonId }, rows, end);
  }
}
