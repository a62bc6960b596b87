/**
 * Ends the comparisons of a job that ended without its run. On Node the database does this with the job (`run-kinds.ts`).
 * At the edge a comparison is in the object of its pair and its job in that of the tenant, and no transaction spans two
 * objects. So this is called too; if the call is lost, the pair's object notices at its alarm.
 */
import {
  type ComparisonKey,
  type ComparisonStore,
  type RUN_CANCELED,
  type RUN_INTERRUPTED,
  SUITE_LIMITS,
  type SuiteKey,
  type SuiteStore,
} from '../compare/index.js';
import type { Job } from '../jobs/index.js';

export interface CompareRows {
  readonly comparisons: Pick<ComparisonStore, 'failComparison' | 'saveExplanation'>;
  readonly suites: Pick<SuiteStore, 'getSuitePaths'>;
}

type RowEnd = typeof RUN_CANCELED | typeof RUN_INTERRUPTED;

export async function endRow(
  { kind, tenantId, payload }: Pick<Job, 'kind' | 'tenantId' | 'payload'>,
  { comparisons, suites }: CompareRows,
  error: RowEnd,
): Promise<void> {
  const end = async (comparisonId: string) => {
    const key = { tenantId, comparisonId };
    if (await comparisons.failComparison({ ...key, error })) return;
    // A comparison with a result keeps it; then only a pending explanation is ended, so that no reader waits for it.
    const textJson = `{"error":${error}}`;
    await comparisons.saveExplanation({
      ...key,
      state: 'failed',
      textJson,
      model: null,
      promptVersion: null,
    });
  };
  if (kind === 'compare') await end((payload as ComparisonKey).comparisonId);
  if (kind !== 'suite') return;
  // A path starts only when one before it has ended, so the running ones are among the first without an outcome. A
  // comparison that starts at this very moment is ended by its own run.
  const first = {
    tenantId,
    suiteId: (payload as SuiteKey).suiteId,
    after: -1,
    limit: SUITE_LIMITS.lanes,
    openOnly: true,
  };
  for (const { comparisonId } of await suites.getSuitePaths(first)) await end(comparisonId);
}
