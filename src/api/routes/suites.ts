/**
 * `/api/suites`: comparisons of two environments, path by path, each as one durable job. The paths are in the request
 * or in the sides' sitemaps, which the job fetches under the address policy. Everything belongs to a tenant.
 */
import * as z from 'zod';
import { SUITE_LIMITS } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import { API_BODY_BYTES_MAX } from '../../kernel/input.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { type AppComparisons, needSuite } from '../comparisons.js';
import { idempotently } from '../middleware/idempotency.js';
import { jsonBytes } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, tenantWith } from '../records.js';
import { createErrors, storeErrors } from '../views/error-responses.js';
import { addEvents } from '../views/events-operation.js';
import { jobFeed } from '../views/job-events.js';
import {
  addOperation,
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
import { NewSuite, SuiteView, suiteView } from '../views/suite.js';
import { readSides, SIDES_ERRORS } from './compare-request.js';
import { readSuiteRequest, type SuiteInput, type SuiteReader, SuiteRequest } from './suite-request.js';

const operation = operations('Comparisons');
const params = idParam('suiteId', 100);

const create = operation.post('/api/suites', 'createSuite', {
  summary: 'Start a comparison of two environments, path by path',
  description:
    'Scope `compare:write`. The paths come from exactly one of `paths`, `sitemap`, `openapi` and `har`.',
  request: { headers: IdempotencyHeaders, ...jsonRequest(SuiteRequest.meta({ id: 'SuiteRequest' })) },
  responses: {
    201: createdResponse('Queued.', NewSuite),
    ...createErrors(...SIDES_ERRORS, 'HAR_INVALID'),
  },
});

const list = operation.get('/api/suites', 'listSuites', {
  summary: 'List suites, newest first',
  description: 'Scope `compare:read`.',
  request: { query: z.object({ limit: limitParam(SUITE_LIMITS.kept, 20) }) },
  responses: {
    200: jsonResponse('The suites.', z.object({ suites: z.array(SuiteView) }).meta({ id: 'Suites' })),
    ...storeErrors(),
  },
});

/** For hosts without threads: runs on the event loop, so bodies must be small. */
const INLINE_READER: SuiteReader = { bytesMax: API_BODY_BYTES_MAX, read: readSuiteRequest };

export function addSuites(app: App, deps: AppDeps): void {
  const { records, comparisons, suiteReader = INLINE_READER } = deps;
  if (!records || !comparisons) return;
  const { suites } = comparisons;

  // The suite reader parses and validates the body.
  addOperation(app, create, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:write');
    const input = await suiteReader.read(await jsonBytes(c, suiteReader.bytesMax), tenant.id);
    const created = await idempotently(c, {
      records,
      tenant,
      digest: input.digest,
      run: (id) => createSuite(c, { records, comparisons, tenant, id, input }),
    });
    return c.json(created.body, 201);
  });

  app.openapi(list, async (c) => {
    const tenant = await tenantWith(c, records, 'compare:read');
    const rows = await suites.listSuites({ tenantId: tenant.id, limit: c.req.valid('query').limit });
    return c.json({ suites: rows.map(suiteView) }, 200, NO_STORE);
  });

  addEvents(app, deps, {
    path: '/api/suites/{suiteId}/events',
    operationId: 'getSuiteEvents',
    operation,
    params,
    missing: 'NOT_FOUND',
    async feedOf(c) {
      const { tenant, row } = await find(c, records, comparisons);
      const job = await jobIfKept(records, tenant, row.suiteId);
      const key = { tenantId: row.tenantId, suiteId: row.suiteId };
      return {
        tenant,
        feed: job ? jobFeed(records, tenant, job) : rowFeed(row.suiteId, row, () => suites.getSuite(key)),
      };
    },
  });
}

interface CreateCall {
  readonly records: AppRecords;
  readonly comparisons: AppComparisons;
  readonly tenant: Tenant;
  readonly id: string;
  readonly input: SuiteInput;
}

async function createSuite(c: AppContext, { records, comparisons, tenant, id, input }: CreateCall) {
  const { leftUrl, rightUrl, leftHeaders: _, rightHeaders: __, ...rest } = input.request;
  const { explain = false, ...options } = rest;
  const { sealed, erased } = await readSides(records, comparisons, input.request);
  const key = { tenantId: tenant.id, suiteId: id };
  const outcome = await records.jobs.start(tenant, { kind: 'suite', jobId: id, payload: key }, (job) =>
    comparisons.suites.createSuite({
      ...key,
      leftUrl: comparisons.redactUrl(leftUrl),
      rightUrl: comparisons.redactUrl(rightUrl),
      optionsJson: JSON.stringify({ ...options, explain, ...(erased.length > 0 && { erased }) }),
      ...(input.plan && { plan: input.plan }),
      job,
      leftSealed: sealed.left,
      rightSealed: sealed.right,
    }),
  );
  if (outcome.kind === 'too_many_running') {
    throw new SondeError(
      'too_many_running',
      `${outcome.limit} suites are already running; wait for one to finish`,
      { details: { limit: outcome.limit } },
    );
  }
  return { status: 201, body: { suiteId: id }, location: absoluteUrl(c, `/api/suites/${id}`) };
}

async function find(c: AppContext, records: AppRecords, comparisons: AppComparisons) {
  const tenant = await tenantWith(c, records, 'compare:read');
  return { tenant, row: await needSuite(comparisons, tenant, c.req.param('suiteId') ?? '') };
}
