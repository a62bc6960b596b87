/**
 * `/api/compare` and `/api/pairs`: two environments, compared as a durable job. What the text of a URL shows is
 * refused at once; what DNS, a redirect or the target shows is in the envelopes. Everything is a tenant's.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { COMPARISON_LIMITS, type ComparisonRow, PairComparisons, pairKeyIn } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import type { AppComparisons } from '../comparisons.js';
import { idempotently } from '../middleware/idempotency.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, RECORD_ERRORS, RECORD_SECURITY, tenantWith } from '../records.js';
import { comparisonView, PairView, pairView, summaryView } from '../views/comparison.js';
import { errorResponses } from '../views/error-responses.js';
import { eventsOperation, readEventsQuery } from '../views/events-operation.js';
import { answerJobEvents, jobFeed } from '../views/job-events.js';
import { comparisonFeed, jobIfKept } from '../views/row-events.js';
import { CompareFields, readSides, SIDES_ERRORS } from './compare-request.js';

const TAGS = ['Comparisons'];
const CompareRequest = z
  .strictObject({ ...CompareFields, explain: z.boolean().default(true) })
  .openapi('CompareRequest');

const create = createRoute({
  method: 'post',
  path: '/api/compare',
  operationId: 'createComparison',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Compare two environments',
  description: 'Queued as a job. Works with `Idempotency-Key`.',
  request: { body: { required: true, content: { 'application/json': { schema: CompareRequest } } } },
  responses: {
    201: {
      description: 'Begun; `Location` says where to look.',
      content: {
        'application/json': { schema: z.object({ comparisonId: z.string() }).openapi('NewComparison') },
      },
    },
    ...errorResponses(...SIDES_ERRORS),
  },
});

const Id = z.object({
  comparisonId: z
    .string()
    .min(1)
    .max(100)
    .openapi({ param: { name: 'comparisonId', in: 'path' } }),
});
const Anything = { 'application/json': { schema: z.unknown() } };

const show = createRoute({
  method: 'get',
  path: '/api/compare/{comparisonId}',
  operationId: 'getComparison',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'One comparison: its state, and its result once it has one',
  request: { params: Id },
  responses: {
    200: { description: 'The comparison.', content: Anything },
    ...errorResponses(...RECORD_ERRORS, 'NOT_FOUND'),
  },
});

const probes = createRoute({
  method: 'get',
  path: '/api/compare/{comparisonId}/probes',
  operationId: 'getComparisonProbes',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'The envelopes of both sides, with all samples',
  request: { params: Id },
  responses: {
    200: { description: 'The probes.', content: Anything },
    ...errorResponses(...RECORD_ERRORS, 'NOT_FOUND'),
  },
});

const pairs = createRoute({
  method: 'get',
  path: '/api/pairs',
  operationId: 'listPairs',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Pairs that were compared, the last one first',
  request: { query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }) },
  responses: {
    200: {
      description: 'The pairs.',
      content: { 'application/json': { schema: z.object({ pairs: z.array(PairView) }).openapi('Pairs') } },
    },
    ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST'),
  },
});

const history = createRoute({
  method: 'get',
  path: '/api/pairs/{pairKey}/comparisons',
  operationId: 'listComparisons',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Comparisons of a pair, youngest first',
  request: {
    params: z.object({
      pairKey: z
        .string()
        .min(1)
        .max(64)
        .openapi({ param: { name: 'pairKey', in: 'path' } }),
    }),
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(COMPARISON_LIMITS.historyMax)
        .default(COMPARISON_LIMITS.historyDefault),
    }),
  },
  responses: {
    200: { description: 'The comparisons.', content: Anything },
    ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST'),
  },
});

const events = eventsOperation({
  path: '/api/compare/{comparisonId}/events',
  operationId: 'getComparisonEvents',
  tags: TAGS,
  summary: 'What a comparison has told, as a page or live',
  params: Id,
  missing: 'NOT_FOUND',
});

export function addCompare(app: App, { records, comparisons, stopping, sseMs }: AppDeps): void {
  if (!records || !comparisons) return;
  const { store } = comparisons;

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const made = await idempotently(c, {
      records,
      tenant,
      run: (id) => createComparison(c, { records, comparisons, tenant, id, request: c.req.valid('json') }),
    });
    if (made.location) c.header('Location', made.location);
    return c.json(made.body, 201);
  });

  app.openapi(show, async (c) => {
    const { row } = await find(c, records, comparisons);
    c.header('Cache-Control', 'no-store');
    return c.json(comparisonView(row, row.status === 'completed' ? await store.getProbes(row) : []), 200);
  });

  app.openapi(probes, async (c) => {
    const { row } = await find(c, records, comparisons);
    const found = await store.getProbes(row);
    const sides = found.map(({ probeId, side, url, ts, envelopeJson, samples }) => ({
      probeId,
      side,
      url,
      ts,
      envelope: JSON.parse(envelopeJson) as unknown,
      samples: samples.map(({ sample, envelopeJson: json }) => ({
        sample,
        envelope: JSON.parse(json) as unknown,
      })),
    }));
    c.header('Cache-Control', 'no-store');
    return c.json({ probes: sides }, 200);
  });

  app.openAPIRegistry.registerPath(events);
  app.get('/api/compare/:comparisonId/events', async (c) => {
    const { tenant, row } = await find(c, records, comparisons);
    // A comparison of a suite has none of its own.
    const job = await jobIfKept(records, tenant, row.comparisonId.split(':')[1] ?? '');
    const key = { tenantId: row.tenantId, comparisonId: row.comparisonId };
    const feed = job ? jobFeed(records, tenant, job) : comparisonFeed(row, () => store.getComparison(key));
    return answerJobEvents(c, { feed, ...readEventsQuery(c), stopping, sseMs });
  });

  app.openapi(pairs, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const { limit } = c.req.valid('query');
    const found = await store.listPairs({ tenantId: tenant.id, limit });
    c.header('Cache-Control', 'no-store');
    return c.json({ pairs: found.map(pairView) }, 200);
  });

  app.openapi(history, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const { limit } = c.req.valid('query');
    const { pairKey } = c.req.valid('param');
    const rows = await store.getComparisonsForHistory({
      tenantId: tenant.id,
      pairKey,
      limit,
      completedOnly: false,
    });
    c.header('Cache-Control', 'no-store');
    return c.json({ comparisons: rows.map(summaryView) }, 200);
  });
}

interface CreateCall {
  readonly records: AppRecords;
  readonly comparisons: AppComparisons;
  readonly tenant: Tenant;
  readonly id: string;
  readonly request: z.output<typeof CompareRequest>;
}

async function createComparison(c: AppContext, { records, comparisons, tenant, id, request }: CreateCall) {
  const { leftUrl, rightUrl, leftHeaders: _, rightHeaders: __, explain, ...options } = request;
  const sealed = await readSides(records, comparisons, request);
  const pair = new PairComparisons(
    comparisons.store,
    { tenantId: tenant.id, leftUrl, rightUrl },
    {
      newUuid: () => id,
      redactUrl: comparisons.redactUrl,
      optionsJson: JSON.stringify(options),
      explain,
      sealed,
    },
  );
  const { comparisonId } = await pair.createComparison();
  // The row is there first: a job that finds none would have nothing to do.
  await records.jobs.enqueue(tenant, {
    kind: 'compare',
    jobId: id,
    payload: { tenantId: tenant.id, comparisonId },
  });
  return { status: 201, body: { comparisonId }, location: absoluteUrl(c, `/api/compare/${comparisonId}`) };
}

async function find(
  c: AppContext,
  records: AppRecords,
  { store }: AppComparisons,
): Promise<{ tenant: Tenant; row: ComparisonRow }> {
  const tenant = await tenantWith(c, records, 'compare:read');
  const comparisonId = c.req.param('comparisonId') ?? '';
  const row = pairKeyIn(comparisonId)
    ? await store.getComparison({ tenantId: tenant.id, comparisonId })
    : undefined;
  if (!row) throw new SondeError('NOT_FOUND', 'There is no such comparison.');
  return { tenant, row };
}
