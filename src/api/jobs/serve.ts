import { JOB_KINDS, type Job, KIND_NAMES, type Tenant } from '../../jobs/index.js';
import type { Call } from '../../kernel/call.js';
import { type Operation, serve } from '../../kernel/operation.js';
import { jsonReply, NO_CONTENT, NO_STORE } from '../../kernel/reply.js';
import { includesScope } from '../../scopes.js';
import { createdHeaders, createOnce } from '../idempotency.js';
import { type AppRecords, type RecordServices, refuseUrl, tenantOf } from '../records.js';
import { jobView } from '../views/job.js';
import { jobFeed, replyWithEvents } from '../views/job-events.js';
import { pageOf, readCursor } from '../views/time-pages.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const listJobs = serve(
  facts.listJobs,
  schemas.listJobs,
  async (call, { query }, { records }: RecordServices) => {
    const { status, kind, limit, cursor } = query;
    const kinds = readableKinds(call).filter((each) => kind === undefined || each === kind);
    const after = readCursor(cursor);
    const jobs = await records.jobs.list(await tenantOf(call, records), {
      kinds,
      limit: limit + 1,
      ...(status && { status }),
      ...(after && { after: { queuedAt: after.at, jobId: after.id } }),
    });
    const { page, next } = pageOf(jobs, limit, ({ queuedAt, jobId }) => `${queuedAt}.${jobId}`);
    return jsonReply({ jobs: page.map((job) => jobView(job, records.redact)), next }, NO_STORE);
  },
);

const createJob = serve(
  facts.createJob,
  schemas.createJob,
  async (call, { json: { url }, text }, { records, log }: RecordServices) => {
    const tenant = await tenantOf(call, records);
    refuseUrl(url, records);
    const created = await createOnce(call, text, {
      records,
      tenant,
      log,
      async run(jobId) {
        await records.jobs.enqueue(tenant, { kind: 'hello', payload: { url }, jobId });
        const body = jobView(await records.jobs.get(tenant, jobId), records.redact);
        return { status: 202, body, location: call.absolute(facts.getJob.path.replace('{jobId}', jobId)) };
      },
    });
    return jsonReply(created.body, createdHeaders(created), 202);
  },
);

const getJob = serve(facts.getJob, schemas.getJob, async (call, { params }, { records }: RecordServices) => {
  const { tenant, job } = await findJob(call, params.jobId, { records, need: 'readScope' });
  const result = await resultOf(records, tenant, job);
  return jsonReply({ ...jobView(job, records.redact), result }, NO_STORE);
});

const getJobEvents = serve(
  facts.getJobEvents,
  schemas.getJobEvents,
  async (call, { params, query }, { records, stopping, settings: { sseMs } }: RecordServices) => {
    const { tenant, job } = await findJob(call, params.jobId, { records, need: 'readScope' });
    return replyWithEvents(call, { tenant, feed: jobFeed(records, tenant, job), ...query, stopping, sseMs });
  },
);

const cancelJob = serve(
  facts.cancelJob,
  schemas.cancelJob,
  async (call, { params }, { records }: RecordServices) => {
    const { tenant, job } = await findJob(call, params.jobId, { records, need: 'writeScope' });
    return jsonReply(jobView(await records.jobs.cancel(tenant, job.jobId), records.redact));
  },
);

const retryJob = serve(
  facts.retryJob,
  schemas.retryJob,
  async (call, { params }, { records }: RecordServices) => {
    const { tenant, job } = await findJob(call, params.jobId, { records, need: 'writeScope' });
    return jsonReply(jobView(await records.jobs.retry(tenant, job.jobId), records.redact));
  },
);

const deleteJob = serve(
  facts.deleteJob,
  schemas.deleteJob,
  async (call, { params }, { records }: RecordServices) => {
    const { tenant, job } = await findJob(call, params.jobId, { records, need: 'writeScope' });
    await records.jobs.remove(tenant, job.jobId);
    return NO_CONTENT;
  },
);

export const JOB_OPERATIONS: readonly Operation<RecordServices>[] = [
  listJobs,
  createJob,
  getJob,
  deleteJob,
  getJobEvents,
  cancelJob,
  retryJob,
];

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

interface Wanted {
  readonly records: AppRecords;
  readonly need: 'readScope' | 'writeScope';
}

async function findJob(call: Call, jobId: string, { records, need }: Wanted) {
  const tenant = await tenantOf(call, records);
  const job = await records.jobs.get(tenant, jobId);
  call.callerWith(JOB_KINDS[job.kind][need]);
  return { tenant, job };
}

function readableKinds({ caller }: Call) {
  return KIND_NAMES.filter((kind) => includesScope(caller.scopes, JOB_KINDS[kind].readScope));
}
