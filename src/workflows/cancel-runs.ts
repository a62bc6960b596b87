/** What canceling a job means for what it was made for: the row ends in the call that cancels, whoever runs it. */
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

/** One that has its result keeps it; what is then called off is the explanation, and its reader need not wait. */
export async function cancelComparison(key: ComparisonKey, store: ComparisonStore): Promise<void> {
  if (await store.failComparison({ ...key, error: COMPARISON_CANCELED })) return;
  const row = await store.getComparison(key);
  if (row?.explanation.state !== 'pending' || row.resultJson === null) return;
  const { diff } = JSON.parse(row.resultJson) as { readonly diff: EnvDiff };
  const text = { ...explainDiff(diff), error: JSON.parse(COMPARISON_CANCELED) as unknown };
  const told = { state: 'failed', textJson: JSON.stringify(text), model: null, promptVersion: null } as const;
  await store.saveExplanation({ ...key, ...told });
}

/**
 * Ends a suite and the comparisons that it is at. A path is begun only when one before it has ended, so those are
 * among the first without an outcome; one that is begun at this very moment is ended by its run.
 */
export async function cancelSuite(
  key: SuiteKey,
  suites: SuiteStore,
  comparisons: ComparisonStore,
): Promise<void> {
  await suites.endSuite({ ...key, error: COMPARISON_CANCELED });
  const open = await suites.getSuitePaths({ ...key, after: -1, limit: SUITE_LIMITS.lanes, openOnly: true });
  for (const { comparisonId } of open) {
    await cancelComparison({ tenantId: key.tenantId, comparisonId }, comparisons);
  }
}
