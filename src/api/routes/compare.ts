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
  type PairPosition,
  type PairSummary,
  pairKeyOf,
} from '../../compare/index.js';
import { SondeError } from '../../errors.js';
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
  NewComparison,
  PairView,
  ProbeView,
  pairView,
  probeView,
  readOptions,
  SummaryView,
  summaryView,
} from '../views/comparison.js';
import { createErrors, storeErrors } from '../views/error-responses.js';
import { addEvents } from '../views/events-operation.js';
import { jobFeed } from '../views/job-events.js';
import {
  boundedText,
  createdResponse,
  IdempotencyHeaders,
  idParam,
  jsonRequest,
  jsonResponse,
  limitParam,
  NO_STORE,
  operations,
} from '../views/operation.js';
import { jobIfKept, rowFeed } from '../views/row-events.js';
import { searchPage, textFilter } from '../views/search-page.js';
import { invalidCursor } from '../views/time-pages.js';
import { CompareFields, readSides, SIDES_ERRORS, type SidesRequest } from './compare-request.js';

const operation = operations('Comparisons');
const params = idParam('comparisonId', 100);

const CompareRequest = z
  .strictObject({
    ...CompareFields,
    explain: z.boolean().optional().describe('Explain the result. Default true.'),
  })
  .meta({ id: 'CompareRequest' });

const create = operation.post('/api/compare', 'createComparison', {
  middleware: jsonBody({ allow: 'compare:write' }),
  summary: 'Start a comparison of two environments',
  description: 'Scope `compare:write`.',
  request: { headers: IdempotencyHeaders, ...jsonRequest(CompareRequest) },
  responses: {
    201: createdResponse('Queued.', NewComparison),
    ...createErrors(...SIDES_ERRORS),
  },
});

const probes = operation.get('/api/compare/{comparisonId}/probes', 'getComparisonProbes', {
  summary: 'Get the envelopes of both sides with all samples',
  description: 'Scope `compare:read`.',
  request: { params },
  responses: {
    200: jsonResponse(
      'The probes.',
      z.object({ probes: z.array(ProbeView) }).meta({ id: 'ComparisonProbes' }),
    ),
    ...storeErrors('NOT_FOUND'),
  },
});

const pairs = operation.get('/api/pairs', 'listPairs', {
  summary: 'List compared pairs, most recent first',
  description: 'Scope `compare:read`.',
  request: {
    query: z.object({
      own: z
        .stringbool()
        .optional()
        .describe('Only pairs that were compared outside suites, as of the last such comparison.'),
      q: boundedText(200, 'Text in one of the two URLs.'),
      limit: limitParam(COMPARISON_LIMITS.pairsAtOnce - 1, 50),
      cursor: z.string().max(128).optional().describe('`next` of the previous page.'),
    }),
  },
  responses: {
    200: jsonResponse(
      'One page of pairs. With `q`, it can be short or empty and still have `next`.',
      z.object({ pairs: z.array(PairView), next: z.string().nullable() }).meta({ id: 'Pairs' }),
    ),
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
      z.object({ comparisons: z.array(SummaryView) }).meta({ id: 'Comparisons' }),
    ),
    ...storeErrors(),
  },
});

const again = operation.post('/api/compare/{comparisonId}/again', 'repeatComparison', {
  summary: 'Start the same comparison again',
  description:
    'Scope `compare:write`. Uses the URLs and options of the earlier comparison. Its request headers and credentials in ' +
    'URLs were erased when it ended; if it had any, this is refused and the error lists the fields.',
  request: { headers: IdempotencyHeaders, params },
  responses: {
    201: createdResponse('Queued.', NewComparison),
    ...createErrors(...SIDES_ERRORS, 'NOT_FOUND', 'SECRETS_ERASED'),
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

  app.openapi(again, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const created = await idempotently(c, {
      records,
      tenant,
      run: async (id) => {
        const row = await needComparison(comparisons, tenant, c.req.valid('param').comparisonId);
        return createComparison(c, { records, comparisons, tenant, id, request: requestOf(row) });
      },
    });
    return c.json(created.body, 201);
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
        feed: job
          ? jobFeed(records, tenant, job)
          : rowFeed(row.comparisonId, row, () => store.getComparison(key)),
      };
    },
  });

  app.openapi(pairs, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const { own = false, q, limit, cursor } = c.req.valid('query');
    const { items, next } = await searchPage({
      limit,
      after: readPairCursor(cursor),
      read: (after, count) =>
        store.listPairs({ tenantId: tenant.id, own, limit: count, ...(after && { after }) }),
      positionOf: ({ lastTs, lastComparisonId }) => ({ ts: lastTs, comparisonId: lastComparisonId }),
      matches: textFilter(q, ({ leftUrl, rightUrl }: PairSummary) => `${leftUrl}\n${rightUrl}`),
    });
    return c.json(
      { pairs: items.map(pairView), next: next && `${next.ts}.${next.comparisonId}` },
      200,
      NO_STORE,
    );
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
  readonly request: SidesRequest & { readonly explain?: boolean | undefined };
}

async function createComparison(c: AppContext, { records, comparisons, tenant, id, request }: CreateCall) {
  const { leftUrl, rightUrl, leftHeaders: _, rightHeaders: __, explain = true, ...options } = request;
  const { sealed, erased } = await readSides(records, comparisons, request);
  const pair = { tenantId: tenant.id, leftUrl, rightUrl };
  const comparisonId = comparisonIdOf(pairKeyOf(pair), id);
  const payload = { tenantId: tenant.id, comparisonId };
  await records.jobs.start(tenant, { kind: 'compare', jobId: id, payload }, (job) =>
    createPairComparison(comparisons.store, pair, {
      ...{ comparisonId, explain, sealed, job },
      redactUrl: comparisons.redactUrl,
      optionsJson: JSON.stringify({ ...options, explain, ...(erased.length > 0 && { erased }) }),
    }),
  );
  return { status: 201, body: { comparisonId }, location: absoluteUrl(c, `/api/compare/${comparisonId}`) };
}

/** The request that an earlier comparison was created with. */
function requestOf({ leftUrl, rightUrl, optionsJson }: ComparisonRow): CreateCall['request'] {
  const { erased = [], ...options } = readOptions(optionsJson);
  if (erased.length === 0) return { ...options, leftUrl, rightUrl };
  throw new SondeError(
    'SECRETS_ERASED',
    `The comparison used ${erased.join(', ')}, which were erased when it ended. Start a new comparison with them.`,
    { details: { fields: erased } },
  );
}

function readPairCursor(text: string | undefined): PairPosition | undefined {
  if (text === undefined) return undefined;
  const [, ts, comparisonId = ''] = /^(\d{1,15})\.([0-9a-f]{40}:[0-9a-z-]{1,64})$/.exec(text) ?? [];
  if (ts === undefined) throw invalidCursor();
  return { ts: Number(ts), comparisonId };
}

async function find(c: AppContext, records: AppRecords, comparisons: AppComparisons) {
  const tenant = await tenantWith(c, records, 'compare:read');
  return { tenant, row: await needComparison(comparisons, tenant, c.req.param('comparisonId') ?? '') };
}
