/**
 * `/api/jobs`: a tenant's view of the queue. Each kind of job has its own scopes; jobs of other tenants are not found.
 * `POST` only accepts the kind `hello`, the smoke test of a deployment; other kinds are created by their own resources.
 */
import * as z from 'zod';
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
import { idempotently } from '../middleware/idempotency.js';
import { jsonBody } from '../middleware/json-body.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { type AppRecords, refuseUrl, tenantWith } from '../records.js';
import { createErrors, storeErrors } from '../views/error-responses.js';
import { addEvents } from '../views/events-operation.js';
import { EndedJobView, JobPage, JobView, jobView } from '../views/job.js';
import { jobFeed } from '../views/job-events.js';
import {
  createdResponse,
  IdempotencyHeaders,
  idParam,
  jsonRequest,
  jsonResponse,
  NO_STORE,
  operations,
} from '../views/operation.js';
import { pageOf, pageParams, readCursor } from '../views/time-pages.js';

const operation = operations('Jobs');
const params = idParam('jobId', 64);

const list = operation.get('/api/jobs', 'listJobs', {
  summary: 'List jobs, newest first',
  description: 'Lists the kinds of jobs that the credential may read.',
  request: {
    query: z.object({
      status: z.enum(JOB_STATUSES).optional(),
      kind: z.enum(KIND_NAMES).optional(),
      ...pageParams,
    }),
  },
  responses: {
    200: jsonResponse('One page of jobs.', JobPage),
    ...storeErrors(),
  },
});

const create = operation.post('/api/jobs', 'createJob', {
  middleware: jsonBody({ allow: JOB_KINDS.hello.writeScope }),
  summary: 'Queue a smoke test',
  description: 'Scope `audit:write`. Fetches one URL under the address policy.',
  request: {
    headers: IdempotencyHeaders,
    ...jsonRequest(
      z.strictObject({ kind: z.literal('hello'), url: HelloPayload.shape.url }).meta({ id: 'HelloRequest' }),
    ),
  },
  responses: {
    202: createdResponse('Queued.', JobView),
    ...createErrors('invalid_url', 'ssrf_blocked'),
  },
});

const show = operation.get('/api/jobs/{jobId}', 'getJob', {
  summary: 'Get a job',
  request: { params },
  responses: { 200: jsonResponse('The job.', EndedJobView), ...storeErrors('JOB_NOT_FOUND') },
});

const change = <Act extends 'cancel' | 'retry'>(act: Act, summary: string, description: string) =>
  operation.post(`/api/jobs/{jobId}/${act}` as `/api/jobs/{jobId}/${Act}`, `${act}Job`, {
    summary,
    description,
    request: { params },
    responses: { 200: jsonResponse('The job.', JobView), ...storeErrors('JOB_NOT_FOUND', 'JOB_CONFLICT') },
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

const remove = operation.delete('/api/jobs/{jobId}', 'deleteJob', {
  summary: 'Delete a job that has ended',
  description: 'Its events and its audit, if it has one, are deleted too. Comparisons and suites stay.',
  request: { params },
  responses: { 204: { description: 'Deleted.' }, ...storeErrors('JOB_NOT_FOUND', 'STILL_RUNNING') },
});

export function addJobs(app: App, deps: AppDeps): void {
  const { records } = deps;
  if (!records) return;
  const view = (job: Job) => jobView(job, records.redact);

  app.openapi(list, async (c) => {
    const { status, kind, limit, cursor } = c.req.valid('query');
    const kinds = readableKinds(c).filter((each) => kind === undefined || each === kind);
    const tenant = await records.tenants.need(demandAnyKind(c));
    const after = readCursor(cursor);
    const jobs = await records.jobs.list(tenant, {
      kinds,
      limit: limit + 1,
      ...(status && { status }),
      ...(after && { after: { queuedAt: after.at, jobId: after.id } }),
    });
    const { page, next } = pageOf(jobs, limit, ({ queuedAt, jobId }) => `${queuedAt}.${jobId}`);
    return c.json({ jobs: page.map(view), next }, 200, NO_STORE);
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
    return c.json(created.body, 202);
  });

  app.openapi(show, async (c) => {
    const { tenant, job } = await findJob(c, records, 'readScope');
    return c.json({ ...view(job), result: await resultOf(records, tenant, job) }, 200, NO_STORE);
  });

  addEvents(app, deps, {
    path: '/api/jobs/{jobId}/events',
    operationId: 'getJobEvents',
    operation,
    params,
    missing: 'JOB_NOT_FOUND',
    async feedOf(c) {
      const { tenant, job } = await findJob(c, records, 'readScope');
      return { tenant, feed: jobFeed(records, tenant, job) };
    },
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

async function findJob(c: AppContext, records: AppRecords, need: 'readScope' | 'writeScope') {
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
