/**
 * Deletes comparisons, pairs and suites, each with its jobs. It works in small steps, so that no other call waits long
 * for a store. It can be interrupted at any point: repeating the request continues where it stopped.
 */
import { jobIdIn, SUITE_LIMITS } from '../compare/index.js';
import { SondeError } from '../errors.js';
import { stillRunning, type Tenant } from '../jobs/index.js';
import { type AppComparisons, needSuite } from './comparisons.js';
import type { AppRecords } from './records.js';

export interface RemovalDeps {
  readonly records: Pick<AppRecords, 'jobs'>;
  readonly comparisons: Pick<AppComparisons, 'store' | 'suites'>;
  readonly tenant: Tenant;
}

export async function removeComparison(deps: RemovalDeps, comparisonId: string): Promise<void> {
  const removal = await deps.comparisons.store.removeComparison({ tenantId: deps.tenant.id, comparisonId });
  if (removal === 'running') throw stillRunning('comparison', `/api/compare/${comparisonId}/cancel`);
  if (removal === 'missing') throw new SondeError('NOT_FOUND', 'Comparison not found.');
  await removeJobOf(deps, comparisonId);
}

export async function removePair(deps: RemovalDeps, pairKey: string): Promise<void> {
  const { comparisons, tenant } = deps;
  for (let hasBegun = false; ; hasBegun = true) {
    const removal = await comparisons.store.removePair({ tenantId: tenant.id, pairKey });
    if (removal.kind === 'running') {
      throw stillRunning('pair', `/api/compare/${removal.comparisonId}/cancel`);
    }
    if (removal.kind === 'missing') {
      if (hasBegun) return;
      throw new SondeError('NOT_FOUND', 'Pair not found.');
    }
    for (const comparisonId of removal.comparisonIds) await removeJobOf(deps, comparisonId);
    if (removal.kind === 'removed') return;
  }
}

/** Also removes the comparisons of its paths. A comparison that has not ended stays until its retention is over. */
export async function removeSuite(deps: RemovalDeps, suiteId: string): Promise<void> {
  const { comparisons, records, tenant } = deps;
  const { status } = await needSuite(comparisons, tenant, suiteId);
  if (status === 'running') throw stillRunning('suite', `/api/suites/${suiteId}/cancel`);
  const key = { tenantId: tenant.id, suiteId };
  for (;;) {
    const first = { ...key, after: -1, limit: SUITE_LIMITS.lanes, openOnly: false };
    const paths = await comparisons.suites.getSuitePaths(first);
    await Promise.all(
      paths.map(({ comparisonId }) =>
        comparisons.store.removeComparison({ tenantId: tenant.id, comparisonId }),
      ),
    );
    const removal = await comparisons.suites.removeSuite({ ...key, through: paths.at(-1)?.n ?? -1 });
    if (removal !== 'more') break;
  }
  await records.jobs.removeIfEnded(tenant, suiteId);
}

function removeJobOf({ records, tenant }: RemovalDeps, comparisonId: string): Promise<void> {
  return records.jobs.removeIfEnded(tenant, jobIdIn(comparisonId));
}
