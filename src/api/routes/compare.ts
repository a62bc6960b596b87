/**
 * `/api/compare` and `/api/pairs`: comparisons of two environments as durable jobs. A URL whose text breaks a rule is
 * refused at once; what DNS, a redirect or the target reveals is in the envelopes. Everything belongs to a tenant.
 */
import * as z from 'zod';
import {
  COMPARISON_LIMITS,
  type ComparisonRow,
  comparisonIdOf,
  createPairComparison,
  jobIdIn,
  pairKeyOf,
} from '../../compare/index.js';
import type { Tenant } from '../../jobs/index.js';
import { runInTurns, timerTurn } from '../../loop-turns.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { type AppComparisons, needComparison } from '../comparisons.js';
import { sendJson } from '../large-bodies.js';
import { idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, tenantWith } from '../records.js';
import {
  ComparisonView,
  comparisonView,
  PairView,
  ProbeView,
  pairView,
  probeView,
  SummaryView,
  summaryView,
} from '../views/comparison.js';
import { createErrors, storeErrors } from '../views/error-responses.js';
import { addEvents } from '../views/events-operation.js';
import { jobFeed } from '../views/job-events.js';
import {
  createdResponse,
  IdempotencyHeaders,
  idParam,
  jsonRequest,
  jsonResponse,
  limitParam,
  NO_STORE,
  operations,
} from '../views/operation.js';
import { comparisonFeed, jobIfKept } from '../views/row-events.js';
import { CompareFields, readSides, SIDES_ERRORS } from './compare-request.js';

const operation = operations('Comparisons');
const params = idParam('comparisonId', 100);

const CompareRequest = z
  .strictObject({
    ...CompareFields,
    explain: z.boolean().optional().describe('Explain the result. Default true.'),
  })
  .openapi('CompareRequest');

const create = operation.post('/api/compare', 'createComparison', {
  middleware: jsonBody({ allow: 'compare:write' }),
  summary: 'Start a comparison of two environments',
  description: 'Scope `compare:write`.',
  request: { headers: IdempotencyHeaders, ...jsonRequest(CompareRequest) },
  responses: {
    201: createdResponse('Queued.', z.object({ comparisonId: z.string() }).openapi('NewComparison')),
    ...createErrors(...SIDES_ERRORS),
  },
});

const show = operation.get('/api/compare/{comparisonId}', 'getComparison', {
  summary: 'Get a comparison and its result',
  description: 'Scope `compare:read`.',
  request: { params },
  responses: { 200: jsonResponse('The comparison.', ComparisonView), ...storeErrors('NOT_FOUND') },
});

const probes = operation.get('/api/compare/{comparisonId}/probes', 'getComparisonProbes', {
  summary: 'Get the envelopes of both sides with all samples',
  description: 'Scope `compare:read`.',
  request: { params },
  responses: {
    200: jsonResponse('The probes.', z.object({ probes: z.array(ProbeView) }).openapi('ComparisonProbes')),
    ...storeErrors('NOT_FOUND'),
  },
});

const pairs = operation.get('/api/pairs', 'listPairs', {
  summary: 'List compared pairs, most recent first',
  description: 'Scope `compare:read`.',
  request: { query: z.object({ limit: limitParam(200, 50) }) },
  responses: {
    200: jsonResponse('The pairs.', z.object({ pairs: z.array(PairView) }).openapi('Pairs')),
    ...storeErrors(),
  },
});

const history = operation.get('/api/pairs/{pairKey}/comparisons', 'listComparisons', {
  summary: 'List the comparisons of a pair, newest first',
  description: 'Scope `compare:read`.',
  request: {
    params: idParam('pairKey', 64),
    query: z.object({ limit: limitParam(COMPARISON_LIMITS.historyMax, COMPARISON_LIMITS.historyDefault) }),
  },
  responses: {
    200: jsonResponse(
      'The comparisons.',
      z.object({ comparisons: z.array(SummaryView) }).openapi('Comparisons'),
    ),
    ...storeErrors(),
  },
});

export function addCompare(app: App, deps: AppDeps): void {
  const { records, comparisons, turn = timerTurn } = deps;
  if (!records || !comparisons) return;
  const { store } = comparisons;

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const created = await idempotently(c, {
      records,
      tenant,
      run: (id) => createComparison(c, { records, comparisons, tenant, id, request: c.req.valid('json') }),
    });
    return c.json(created.body, 201);
  });

  app.openapi(show, async (c) => {
    const { row } = await find(c, records, comparisons);
    const found = row.status === 'completed' ? await store.getProbes(row) : [];
    return sendJson(c, comparisonView(row, found), turn);
  });

  app.openapi(probes, async (c) => {
    const { row } = await find(c, records, comparisons);
    const found = await store.getProbes(row);
    return sendJson(c, { probes: found.map(probeView) }, turn);
  });

  addEvents(app, deps, {
    path: '/api/compare/{comparisonId}/events',
    operationId: 'getComparisonEvents',
    operation,
    params,
    missing: 'NOT_FOUND',
    async feedOf(c) {
      const { tenant, row } = await find(c, records, comparisons);
      // A comparison that belongs to a suite has no job of its own.
      const job = await jobIfKept(records, tenant, jobIdIn(row.comparisonId));
      const key = { tenantId: row.tenantId, comparisonId: row.comparisonId };
      return {
        tenant,
        feed: job ? jobFeed(records, tenant, job) : comparisonFeed(row, () => store.getComparison(key)),
      };
    },
  });

  app.openapi(pairs, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const { limit } = c.req.valid('query');
    const found = await store.listPairs({ tenantId: tenant.id, limit });
    return c.json({ pairs: found.map(pairView) }, 200, NO_STORE);
  });

  app.openapi(history, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const page = { ...c.req.valid('param'), ...c.req.valid('query'), completedOnly: false };
    const rows = await store.getComparisonsForHistory({ tenantId: tenant.id, ...page });
    return c.json({ comparisons: await runInTurns(summaries(rows), turn) }, 200, NO_STORE);
  });
}

/** Yields after each result that is parsed. */
function* summaries(rows: readonly ComparisonRow[]): Generator<void, ReturnType<typeof summaryView>[]> {
  const views: ReturnType<typeof summaryView>[] = [];
  for (const row of rows) {
    views.push(summaryView(row));
    yield;
  }
  return views;
}

interface CreateCall {
  readonly records: AppRecords;
  readonly comparisons: AppComparisons;
  readonly tenant: Tenant;
  readonly id: string;
  readonly request: z.output<typeof CompareRequest>;
}

async function createComparison(c: AppContext, { records, comparisons, tenant, id, request }: CreateCall) {
  const { leftUrl, rightUrl, leftHeaders: _, rightHeaders: __, explain = true, ...options } = request;
  const sealed = await readSides(records, comparisons, request);
  const pair = { tenantId: tenant.id, leftUrl, rightUrl };
  const { comparisonId } = await createPairComparison(comparisons.store, pair, {
    comparisonId: comparisonIdOf(pairKeyOf(pair), id),
    redactUrl: comparisons.redactUrl,
    optionsJson: JSON.stringify(options),
    explain,
    sealed,
  });
  // The row is created first, because the job reads it.
  await records.jobs.enqueue(tenant, {
    kind: 'compare',
    jobId: id,
    payload: { tenantId: tenant.id, comparisonId },
  });
  return { status: 201, body: { comparisonId }, location: absoluteUrl(c, `/api/compare/${comparisonId}`) };
}

async function find(c: AppContext, records: AppRecords, comparisons: AppComparisons) {
  const tenant = await tenantWith(c, records, 'compare:read');
  return { tenant, row: await needComparison(comparisons, tenant, c.req.param('comparisonId') ?? '') };
}
