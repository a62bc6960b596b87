/**
 * `/api/jobs`: a tenant's view of the queue. Each kind of job has its own scopes; jobs of other tenants are not found.
 * `POST` only accepts the kind `hello`, the smoke test of a deployment; other kinds are created by their own resources.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import {
  HelloPayload,
  JOB_KINDS,
  JOB_STATUSES,
  type Job,
  type JobKind,
  KIND_NAMES,
  type Tenant,
} from '../../jobs/index.js';
import { includesScope } from '../../scopes.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { IDEMPOTENCY_ERRORS, idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, RECORD_ERRORS, refuseUrl, tenantWith } from '../records.js';
import { errorResponses } from '../views/error-responses.js';
import { eventsOperation, readEventsQuery } from '../views/events-operation.js';
import { EndedJobView, JobView, jobView } from '../views/job.js';
import { jobFeed, respondWithJobEvents } from '../views/job-events.js';
import {
  IdempotencyHeaders,
  idParam,
  jsonContent,
  jsonRequest,
  SERVICE_SECURITY,
} from '../views/operation.js';
import { responseHeaders } from '../views/response-headers.js';

const LIST_MAX = 200;

const shared = { tags: ['Jobs'], security: SERVICE_SECURITY };
const params = idParam('jobId', 64);
const content = jsonContent(JobView);

const list = createRoute({
  ...shared,
  method: 'get',
  path: '/api/jobs',
  operationId: 'listJobs',
  summary: 'List jobs, newest first',
  description: 'Lists the kinds of jobs that the credential may read.',
  request: {
    query: z.object({
      status: z.enum(JOB_STATUSES).optional(),
      kind: z.enum(KIND_NAMES).optional(),
      limit: z.coerce.number().int().min(1).max(LIST_MAX).default(50),
      cursor: z.string().max(64).optional().describe('`next` of the previous page.'),
    }),
  },
  responses: {
    200: {
      description: 'One page of jobs.',
      content: jsonContent(z.object({ jobs: z.array(JobView), next: z.string().nullable() }).openapi('Jobs')),
    },
    ...errorResponses(...RECORD_ERRORS),
  },
});

const create = createRoute({
  ...shared,
  method: 'post',
  path: '/api/jobs',
  operationId: 'createJob',
  middleware: jsonBody({ allow: JOB_KINDS.hello.writeScope }),
  summary: 'Queue a smoke test',
  description: 'Scope `audit:write`. Fetches one URL under the address policy.',
  request: {
    headers: IdempotencyHeaders,
    ...jsonRequest(
      z.strictObject({ kind: z.literal('hello'), url: HelloPayload.shape.url }).openapi('HelloRequest'),
    ),
  },
  responses: {
    202: { description: 'Queued.', headers: responseHeaders('Location', 'Idempotent-Replayed?'), content },
    ...errorResponses(
      ...RECORD_ERRORS,
      ...IDEMPOTENCY_ERRORS,
      'invalid_url',
      'ssrf_blocked',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  },
});

const show = createRoute({
  ...shared,
  method: 'get',
  path: '/api/jobs/{jobId}',
  operationId: 'getJob',
  summary: 'Get a job',
  request: { params },
  responses: {
    200: { description: 'The job.', content: jsonContent(EndedJobView) },
    ...errorResponses(...RECORD_ERRORS, 'JOB_NOT_FOUND'),
  },
});

const events = eventsOperation({
  path: '/api/jobs/{jobId}/events',
  operationId: 'getJobEvents',
  tags: shared.tags,
  params,
  missing: 'JOB_NOT_FOUND',
});

const change = <Act extends 'cancel' | 'retry'>(act: Act, summary: string, description: string) =>
  createRoute({
    ...shared,
    method: 'post',
    path: `/api/jobs/{jobId}/${act}` as `/api/jobs/{jobId}/${Act}`,
    operationId: `${act}Job`,
    summary,
    description,
    request: { params },
    responses: {
      200: { description: 'The job.', content },
      ...errorResponses(...RECORD_ERRORS, 'JOB_NOT_FOUND', 'JOB_CONFLICT'),
    },
  });

const cancel = change(
  'cancel',
  'Cancel a job',
  'A queued job ends at once; a running one when its worker is notified.',
);
const retry = change(
  'retry',
  'Retry a failed or canceled job',
  'It is queued again and continues after its last recorded step.',
);

const remove = createRoute({
  ...shared,
  method: 'delete',
  path: '/api/jobs/{jobId}',
  operationId: 'deleteJob',
  summary: 'Delete a job that has ended',
  description: 'Its events and its audit, if it has one, are deleted too. Comparisons and suites stay.',
  request: { params },
  responses: {
    204: { description: 'Deleted.' },
    ...errorResponses(...RECORD_ERRORS, 'JOB_NOT_FOUND', 'STILL_RUNNING'),
  },
});

export function addJobs(app: App, { records, stopping, sseMs }: AppDeps): void {
  if (!records) return;
  const view = (job: Job) => jobView(job, records.redact);

  app.openapi(list, async (c) => {
    const { status, kind, limit, cursor } = c.req.valid('query');
    const kinds = readableKinds(c).filter((each) => kind === undefined || each === kind);
    const tenant = await records.tenants.need(demandAnyKind(c));
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const jobs = await records.jobs.list(tenant, {
      kinds,
      limit: limit + 1,
      ...(status && { status }),
      ...(after && { after }),
    });
    const page = jobs.slice(0, limit);
    const last = page.at(-1);
    const next = jobs.length > limit && last ? `${last.queuedAt}.${last.jobId}` : null;
    c.header('Cache-Control', 'no-store');
    return c.json({ jobs: page.map(view), next }, 200);
  });

  app.openapi(create, async (c) => {
    const tenant = await tenantWith(c, records, JOB_KINDS.hello.writeScope);
    const { url } = c.req.valid('json');
    refuseUrl(url, records);
    const created = await idempotently(c, {
      records,
      tenant,
      async run(jobId) {
        await records.jobs.enqueue(tenant, { kind: 'hello', payload: { url }, jobId });
        const body = view(await records.jobs.get(tenant, jobId));
        return { status: 202, body, location: absoluteUrl(c, `/api/jobs/${jobId}`) };
      },
    });
    if (created.location) c.header('Location', created.location);
    return c.json(created.body, 202);
  });

  app.openapi(show, async (c) => {
    const { tenant, job } = await findJob(c, records, 'readScope');
    c.header('Cache-Control', 'no-store');
    return c.json({ ...view(job), result: await resultOf(records, tenant, job) }, 200);
  });

  // Not registered with `app.openapi`, because it responds with two content types.
  app.openAPIRegistry.registerPath(events);
  app.get('/api/jobs/:jobId/events', async (c) => {
    const query = readEventsQuery(c);
    const { tenant, job } = await findJob(c, records, 'readScope');
    return respondWithJobEvents(c, {
      tenant,
      feed: jobFeed(records, tenant, job),
      ...query,
      stopping,
      sseMs,
    });
  });

  app.openapi(cancel, async (c) => {
    const { tenant, job } = await findJob(c, records, 'writeScope');
    return c.json(view(await records.jobs.cancel(tenant, job.jobId)), 200);
  });

  app.openapi(retry, async (c) => {
    const { tenant, job } = await findJob(c, records, 'writeScope');
    return c.json(view(await records.jobs.retry(tenant, job.jobId)), 200);
  });

  app.openapi(remove, async (c) => {
    const { tenant, job } = await findJob(c, records, 'writeScope');
    await records.jobs.remove(tenant, job.jobId);
    return c.body(null, 204);
  });
}

/** A job's last event contains its result. */
async function resultOf(
  { jobs }: AppRecords,
  tenant: Tenant,
  { jobId, status, eventSeq }: Job,
): Promise<unknown> {
  if (status !== 'done') return null;
  const [last] = await jobs.events(tenant, jobId, { after: eventSeq - 1, limit: 1 });
  return last?.data?.['result'] ?? null;
}

async function findJob(
  c: AppContext,
  records: AppRecords,
  need: 'readScope' | 'writeScope',
): Promise<{ tenant: Tenant; job: Job }> {
  const tenant = await records.tenants.need(demandAnyKind(c));
  const job = await records.jobs.get(tenant, c.req.param('jobId') ?? '');
  demandScope(c, JOB_KINDS[job.kind][need]);
  return { tenant, job };
}

/** Refuses a credential that may not read any kind of job; returns its tenant. */
function demandAnyKind(c: AppContext): string {
  const readable = readableKinds(c);
  return demandScope(c, JOB_KINDS[readable[0] ?? 'audit'].readScope).tenant;
}

function readableKinds(c: AppContext): JobKind[] {
  const scopes = c.get('principal')?.scopes;
  return KIND_NAMES.filter((kind) => scopes && includesScope(scopes, JOB_KINDS[kind].readScope));
}

const CURSOR = /^(\d{1,15})\.([0-9a-f-]{36})$/;

function readCursor(text: string): { queuedAt: number; jobId: string } {
  const [, queuedAt, jobId] = CURSOR.exec(text) ?? [];
  if (queuedAt !== undefined && jobId !== undefined) return { queuedAt: Number(queuedAt), jobId };
  throw new SondeError('INVALID_REQUEST', 'query.cursor must be the "next" of an earlier page.', {
    details: { field: 'query.cursor' },
  });
}
