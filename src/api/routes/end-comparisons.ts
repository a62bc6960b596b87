/**
 * Cancels and deletes comparisons, suites and pairs. Only finished work can be deleted, because a run in progress would
 * write to deleted rows. Everything belongs to a tenant.
 */
import { type ComparisonStatus, jobIdIn, pairKeyIn } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import type { App, AppDeps } from '../app-env.js';
import { needComparison, needSuite } from '../comparisons.js';
import { type AppRecords, tenantWith } from '../records.js';
import { removeComparison, removePair, removeSuite } from '../remove-comparisons.js';
import { ComparisonView, comparisonView } from '../views/comparison.js';
import { storeErrors } from '../views/error-responses.js';
import { idParam, jsonResponse, operations } from '../views/operation.js';
import { jobIfKept } from '../views/row-events.js';
import { SuiteView, suiteView } from '../views/suite.js';

const operation = operations('Comparisons');
const comparisonParams = idParam('comparisonId', 100);
const suiteParams = idParam('suiteId', 100);
const deleteResponses = { 204: { description: 'Deleted.' }, ...storeErrors('NOT_FOUND', 'STILL_RUNNING') };

const cancelComparison = operation.post('/api/compare/{comparisonId}/cancel', 'cancelComparison', {
  summary: 'Cancel a comparison',
  description: 'Scope `compare:write`. A comparison of a suite is canceled with its suite.',
  request: { params: comparisonParams },
  responses: {
    200: jsonResponse('The comparison.', ComparisonView),
    ...storeErrors('NOT_FOUND', 'JOB_CONFLICT'),
  },
});

const cancelSuite = operation.post('/api/suites/{suiteId}/cancel', 'cancelSuite', {
  summary: 'Cancel a suite and the comparisons that it runs',
  description: 'Scope `compare:write`.',
  request: { params: suiteParams },
  responses: { 200: jsonResponse('The suite.', SuiteView), ...storeErrors('NOT_FOUND', 'JOB_CONFLICT') },
});

const deleteComparison = operation.delete('/api/compare/{comparisonId}', 'deleteComparison', {
  summary: 'Delete a comparison that has ended',
  description:
    'Scope `compare:write`. Its probes, job and events are deleted too; findings accepted from it stay in the baseline.',
  request: { params: comparisonParams },
  responses: deleteResponses,
});

const deletePair = operation.delete('/api/pairs/{pairKey}', 'deletePair', {
  summary: 'Delete a pair with its comparisons and its baseline',
  description: 'Scope `compare:write`. Refused while a comparison of the pair is running.',
  request: { params: idParam('pairKey', 64) },
  responses: deleteResponses,
});

const deleteSuite = operation.delete('/api/suites/{suiteId}', 'deleteSuite', {
  summary: 'Delete a suite that has ended, with the comparisons of its paths',
  description: 'Scope `compare:write`.',
  request: { params: suiteParams },
  responses: deleteResponses,
});

export function addEndComparisons(app: App, { records, comparisons }: AppDeps): void {
  if (!records || !comparisons) return;

  app.openapi(cancelComparison, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const { comparisonId } = c.req.valid('param');
    const { status } = await needComparison(comparisons, tenant, comparisonId);
    await cancelJob(records, tenant, { jobId: jobIdIn(comparisonId), what: 'comparison', status });
    const row = await needComparison(comparisons, tenant, comparisonId);
    const probes = row.status === 'completed' ? await comparisons.store.getProbes(row) : [];
    return c.json(comparisonView(row, probes), 200);
  });

  app.openapi(cancelSuite, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const { suiteId } = c.req.valid('param');
    const { status } = await needSuite(comparisons, tenant, suiteId);
    await cancelJob(records, tenant, { jobId: suiteId, what: 'suite', status });
    return c.json(suiteView(await needSuite(comparisons, tenant, suiteId)), 200);
  });

  app.openapi(deleteComparison, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const { comparisonId } = c.req.valid('param');
    if (!pairKeyIn(comparisonId)) throw new SondeError('NOT_FOUND', 'Comparison not found.');
    await removeComparison({ records, comparisons, tenant }, comparisonId);
    return c.body(null, 204);
  });

  app.openapi(deletePair, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    await removePair({ records, comparisons, tenant }, c.req.valid('param').pairKey);
    return c.body(null, 204);
  });

  app.openapi(deleteSuite, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    await removeSuite({ records, comparisons, tenant }, c.req.valid('param').suiteId);
    return c.body(null, 204);
  });
}

interface CanceledRow {
  readonly jobId: string;
  readonly what: 'comparison' | 'suite';
  readonly status: ComparisonStatus;
}

/** The end of the job also ends its row. A running row without its own job is a path of a suite. */
async function cancelJob(
  records: AppRecords,
  tenant: Tenant,
  { jobId, what, status }: CanceledRow,
): Promise<void> {
  const job = await jobIfKept(records, tenant, jobId);
  if (job) return void (await records.jobs.cancel(tenant, jobId));
  const why =
    status === 'running'
      ? 'belongs to a suite; cancel the suite instead'
      : `has ended as ${status}; it cannot be canceled`;
  throw new SondeError('JOB_CONFLICT', `The ${what} ${why}.`, { details: { status } });
}
