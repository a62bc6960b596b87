/**
 * Shows, cancels and deletes comparisons, suites and pairs. Only finished work can be deleted, because a run in progress would
 * write to deleted rows.
 */
import { type ComparisonStatus, jobIdIn, pairKeyIn } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import { type Operation, serve } from '../../kernel/operation.js';
import { jsonReply, NO_CONTENT, NO_STORE } from '../../kernel/reply.js';
import { timerTurn } from '../../loop-turns.js';
import { type ComparisonServices, needComparison, needSuite } from '../comparisons.js';
import { replyWithJson } from '../large-bodies.js';
import { type AppRecords, tenantOf } from '../records.js';
import { removeComparison, removePair, removeSuite } from '../remove-comparisons.js';
import { comparisonView } from '../views/comparison.js';
import { jobIfKept } from '../views/row-events.js';
import { suitePathView, suiteView } from '../views/suite.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const getComparison = serve(
  facts.getComparison,
  schemas.getComparison,
  async (call, { params: { comparisonId } }, services: ComparisonServices) => {
    const { records, comparisons, turn = timerTurn } = services;
    const row = await needComparison(comparisons, await tenantOf(call, records), comparisonId);
    const probes = row.status === 'completed' ? await comparisons.store.getProbes(row) : [];
    return replyWithJson(comparisonView(row, probes), turn);
  },
);

const getSuite = serve(
  facts.getSuite,
  schemas.getSuite,
  async (call, { params: { suiteId }, query }, { records, comparisons }: ComparisonServices) => {
    const row = await needSuite(comparisons, await tenantOf(call, records), suiteId);
    const page = { ...query, openOnly: false };
    const rows = await comparisons.suites.getSuitePaths({ tenantId: row.tenantId, suiteId, ...page });
    return jsonReply({ ...suiteView(row), rows: rows.map(suitePathView) }, NO_STORE);
  },
);

const cancelComparison = serve(
  facts.cancelComparison,
  schemas.cancelComparison,
  async (call, { params: { comparisonId } }, { records, comparisons }: ComparisonServices) => {
    const tenant = await tenantOf(call, records);
    const { status } = await needComparison(comparisons, tenant, comparisonId);
    await cancelJob(records, tenant, { jobId: jobIdIn(comparisonId), what: 'comparison', status });
    const row = await needComparison(comparisons, tenant, comparisonId);
    const probes = row.status === 'completed' ? await comparisons.store.getProbes(row) : [];
    return jsonReply(comparisonView(row, probes));
  },
);

const cancelSuite = serve(
  facts.cancelSuite,
  schemas.cancelSuite,
  async (call, { params: { suiteId } }, { records, comparisons }: ComparisonServices) => {
    const tenant = await tenantOf(call, records);
    const { status } = await needSuite(comparisons, tenant, suiteId);
    await cancelJob(records, tenant, { jobId: suiteId, what: 'suite', status });
    return jsonReply(suiteView(await needSuite(comparisons, tenant, suiteId)));
  },
);

const deleteComparison = serve(
  facts.deleteComparison,
  schemas.deleteComparison,
  async (call, { params: { comparisonId } }, { records, comparisons }: ComparisonServices) => {
    const tenant = await tenantOf(call, records);
    if (!pairKeyIn(comparisonId)) throw new SondeError('NOT_FOUND', 'Comparison not found.');
    await removeComparison({ records, comparisons, tenant }, comparisonId);
    return NO_CONTENT;
  },
);

const deletePair = serve(
  facts.deletePair,
  schemas.deletePair,
  async (call, { params: { pairKey } }, { records, comparisons }: ComparisonServices) => {
    await removePair({ records, comparisons, tenant: await tenantOf(call, records) }, pairKey);
    return NO_CONTENT;
  },
);

const deleteSuite = serve(
  facts.deleteSuite,
  schemas.deleteSuite,
  async (call, { params: { suiteId } }, { records, comparisons }: ComparisonServices) => {
    await removeSuite({ records, comparisons, tenant: await tenantOf(call, records) }, suiteId);
    return NO_CONTENT;
  },
);

export const RUN_OPERATIONS: readonly Operation<ComparisonServices>[] = [
  getComparison,
  getSuite,
  cancelComparison,
  cancelSuite,
  deleteComparison,
  deletePair,
  deleteSuite,
];

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
