/**
 * The row that a job works at: a comparison or a suite, else none. Whoever ends such a job without its run ends the row
 * too, so that nobody waits for what will not come; a row that has ended already stays as it is.
 */
import type { ComparisonKey, ComparisonStore, SuiteKey, SuiteStore } from '../compare/index.js';
import type { Job } from '../jobs/index.js';

export interface CompareRows {
  readonly comparisons: Pick<ComparisonStore, 'failComparison'>;
  readonly suites: Pick<SuiteStore, 'endSuite'>;
}

export interface RowEnd {
  readonly code: string;
  readonly message: string;
}

export const CANCELED: RowEnd = { code: 'canceled', message: 'it was canceled' };

export async function endRow(
  { kind, tenantId, payload }: Pick<Job, 'kind' | 'tenantId' | 'payload'>,
  { comparisons, suites }: CompareRows,
  end: RowEnd,
): Promise<void> {
  const error = JSON.stringify(end);
  if (kind === 'compare') {
    const { comparisonId } = payload as ComparisonKey;
    await comparisons.failComparison({ tenantId, comparisonId, error });
  } else if (kind === 'suite') {
    const { suiteId } = payload as SuiteKey;
    await suites.endSuite({ tenantId, suiteId, error });
  }
}
