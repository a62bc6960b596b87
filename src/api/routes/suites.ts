/**
 * `/api/suites`: two environments compared path by path, as one durable job. The paths are in the request, or in
 * the sides' sitemaps, which the job fetches through the guarded door. Everything is a tenant's.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SUITE_LIMITS, type SuiteRow, sideLabels, suitePlan } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import type { AppComparisons } from '../comparisons.js';
import { idempotently } from '../middleware/idempotency.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, RECORD_ERRORS, RECORD_SECURITY, tenantWith } from '../records.js';
import { errorResponses } from '../views/error-responses.js';
import { eventsOperation, readEventsQuery } from '../views/events-operation.js';
import { answerJobEvents, jobFeed } from '../views/job-events.js';
import { jobIfKept, suiteFeed } from '../views/row-events.js';
import { SuitePathView, SuiteView, suitePathView, suiteView } from '../views/suite.js';
import { CompareFields, readSides, SIDES_ERRORS } from './compare-request.js';
import { givenPaths, PathSources } from './suite-paths.js';

const TAGS = ['Comparisons'];

const SuiteRequest = z
  .strictObject({
    ...CompareFields,
    ...PathSources,
    explain: z.boolean().default(false),
    concurrency: z.int().min(1).max(SUITE_LIMITS.lanes).optional().describe('Paths compared at a time.'),
    perHost: z.int().min(1).max(SUITE_LIMITS.lanes).optional().describe('Probes of one host at a time.'),
  })
  .openapi('SuiteRequest');

const create = createRoute({
  method: 'post',
  path: '/api/suites',
  operationId: 'createSuite',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Compare two environments path by path',
  description:
    'Queued as a job. The paths come from exactly one of `paths`, `sitemap`, `openapi` and `har`. Works with `Idempotency-Key`.',
  request: { body: { required: true, content: { 'application/json': { schema: SuiteRequest } } } },
  responses: {
    201: {
      description: 'Begun; `Location` says where to look.',
      content: { 'application/json': { schema: z.object({ suiteId: z.string() }).openapi('NewSuite') } },
    },
    ...errorResponses(...SIDES_ERRORS, 'HAR_INVALID'),
  },
});

const Id = z.object({
  suiteId: z
    .string()
    .min(1)
    .max(100)
    .openapi({ param: { name: 'suiteId', in: 'path' } }),
});

const list = createRoute({
  method: 'get',
  path: '/api/suites',
  operationId: 'listSuites',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'Suites, youngest first',
  request: {
    query: z.object({ limit: z.coerce.number().int().min(1).max(SUITE_LIMITS.kept).default(20) }),
  },
  responses: {
    200: {
      description: 'The suites.',
      content: { 'application/json': { schema: z.object({ suites: z.array(SuiteView) }).openapi('Suites') } },
    },
    ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST'),
  },
});

const show = createRoute({
  method: 'get',
  path: '/api/suites/{suiteId}',
  operationId: 'getSuite',
  tags: TAGS,
  security: RECORD_SECURITY,
  summary: 'One suite: its state, its own findings, and a page of its paths',
  request: {
    params: Id,
    query: z.object({
      after: z.coerce
        .number()
        .int()
        .min(-1)
        .default(-1)
        .describe('The `n` of the last path of the page before.'),
      limit: z.coerce.number().int().min(1).max(SUITE_LIMITS.pathsPerPage).default(SUITE_LIMITS.pathsPerPage),
    }),
  },
  responses: {
    200: {
      description: 'The suite.',
      content: {
        'application/json': {
          schema: SuiteView.extend({ rows: z.array(SuitePathView) }).openapi('SuiteWithPaths'),
        },
      },
    },
    ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST', 'NOT_FOUND'),
  },
});

const events = eventsOperation({
  path: '/api/suites/{suiteId}/events',
  operationId: 'getSuiteEvents',
  tags: TAGS,
  summary: 'What a suite has told, as a page or live',
  params: Id,
  missing: 'NOT_FOUND',
});

export function addSuites(app: App, { records, comparisons, stopping, sseMs }: AppDeps): void {
  if (!records || !comparisons) return;
  const { suites } = comparisons;

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const made = await idempotently(c, {
      records,
      tenant,
      run: (id) => createSuite(c, { records, comparisons, tenant, id, request: c.req.valid('json') }),
    });
    if (made.location) c.header('Location', made.location);
    return c.json(made.body, 201);
  });

  app.openapi(list, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const rows = await suites.listSuites({ tenantId: tenant.id, limit: c.req.valid('query').limit });
    c.header('Cache-Control', 'no-store');
    return c.json({ suites: rows.map(suiteView) }, 200);
  });

  app.openapi(show, async (c) => {
    const { row } = await find(c, records, comparisons);
    const page = { ...c.req.valid('query'), openOnly: false };
    const rows = await suites.getSuitePaths({ tenantId: row.tenantId, suiteId: row.suiteId, ...page });
    c.header('Cache-Control', 'no-store');
    return c.json({ ...suiteView(row), rows: rows.map(suitePathView) }, 200);
  });

  app.openAPIRegistry.registerPath(events);
  app.get('/api/suites/:suiteId/events', async (c) => {
    const { tenant, row } = await find(c, records, comparisons);
    const job = await jobIfKept(records, tenant, row.suiteId);
    const key = { tenantId: row.tenantId, suiteId: row.suiteId };
    const feed = job ? jobFeed(records, tenant, job) : suiteFeed(row, () => suites.getSuite(key));
    return answerJobEvents(c, { feed, ...readEventsQuery(c), stopping, sseMs });
  });
}

interface CreateCall {
  readonly records: AppRecords;
  readonly comparisons: AppComparisons;
  readonly tenant: Tenant;
  readonly id: string;
  readonly request: z.output<typeof SuiteRequest>;
}

async function createSuite(c: AppContext, { records, comparisons, tenant, id, request }: CreateCall) {
  const { leftUrl, rightUrl, leftHeaders: _, rightHeaders: __, ...rest } = request;
  const { paths, openapi, har, ...options } = rest;
  const sealed = await readSides(records, comparisons, request);
  const { candidate, leftLabel, rightLabel } = options;
  const labels = sideLabels(
    { left: comparisons.redactUrl(leftUrl), right: comparisons.redactUrl(rightUrl) },
    {
      given: { ...(leftLabel && { left: leftLabel }), ...(rightLabel && { right: rightLabel }) },
      ...(candidate && { candidate }),
    },
  );
  const given = await givenPaths(
    { paths, openapi, har, sitemap: options.sitemap },
    { labels, ...(candidate && { candidate }) },
  );
  const key = { tenantId: tenant.id, suiteId: id };
  const outcome = await comparisons.suites.createSuite({
    ...key,
    leftUrl: comparisons.redactUrl(leftUrl),
    rightUrl: comparisons.redactUrl(rightUrl),
    optionsJson: JSON.stringify(options),
    leftSealed: sealed.left,
    rightSealed: sealed.right,
  });
  if (outcome.kind === 'too_many_running') {
    throw new SondeError('too_many_running', `${outcome.limit} suites are running already`, {
      details: { limit: outcome.limit },
    });
  }
  if (given) {
    const bases = { left: leftUrl, right: rightUrl };
    await comparisons.suites.planSuite(suitePlan(key, { bases, ...given }, () => crypto.randomUUID()));
  }
  // The row is there first: a job that finds none would have nothing to do.
  await records.jobs.enqueue(tenant, { kind: 'suite', jobId: id, payload: key });
  return { status: 201, body: { suiteId: id }, location: absoluteUrl(c, `/api/suites/${id}`) };
}

async function find(
  c: AppContext,
  records: AppRecords,
  { suites }: AppComparisons,
): Promise<{ tenant: Tenant; row: SuiteRow }> {
  const tenant = await tenantWith(c, records, 'compare:read');
  const suiteId = c.req.param('suiteId') ?? '';
  const row = isUuid(suiteId) ? await suites.getSuite({ tenantId: tenant.id, suiteId }) : undefined;
  if (!row) throw new SondeError('NOT_FOUND', 'There is no such suite.');
  return { tenant, row };
}
