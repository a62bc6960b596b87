import { describe, expect, test } from 'vitest';
import { type InlineRecords, openInlineRecords } from '../../test/support/inline-records.js';
import type { Job } from './job.js';
import { JobWakes } from './job-events.js';
import { JobService } from './job-service.js';
import type { Tenant } from './tenant.js';

const CLAIM = {
  workerId: 'w',
  kinds: ['hello'],
  limit: 10,
  leaseMs: 60_000,
  runningMax: 99,
  after: null,
} as const;
const HELLO = { kind: 'hello', payload: { url: 'https://example.com/' } } as const;

async function open(quotas: Tenant['quotas'] = {}) {
  const records = await openInlineRecords();
  const tenant: Tenant = { id: records.tenantId, slug: 'acme', name: 'acme', quotas, createdAt: 0 } as Tenant;
  const seen: string[] = [];
  const service = new JobService({
    store: records.jobs,
    news: new JobWakes(),
    clock: Date.now,
    maxAttempts: 2,
    onReady: () => void seen.push('ready'),
    onCancel: async ({ status }: Job) => void seen.push(`cancel ${status}`),
    onChange: (jobId) => void seen.push(`change ${jobId}`),
  });
  return { service, tenant, records, seen };
}

const end = async ({ jobs }: InlineRecords, outcome: 'done' | 'failed') => {
  const { jobs: held } = await jobs.claim(CLAIM);
  await jobs.settle(
    held.map(({ jobId, leaseToken }) => ({ jobId, leaseToken, outcome, events: [], hadSteps: false })),
  );
};

describe('enqueue', () => {
  test('creates a job and wakes the workers', async () => {
    const { service, tenant, seen } = await open();
    const { jobId, created } = await service.enqueue(tenant, HELLO);
    expect([created, seen]).toEqual([true, ['ready']]);
    expect(await service.get(tenant, jobId)).toMatchObject({
      status: 'queued',
      maxAttempts: 2,
      payload: HELLO.payload,
    });
    expect(await service.counts(tenant)).toEqual({ queued: 1, running: 0 });
  });

  test('returns the existing job for the same id or the same work', async () => {
    const { service, tenant } = await open();
    const { jobId } = await service.enqueue(tenant, { ...HELLO, maxAttempts: 7, priority: 3 });
    expect(await service.enqueue(tenant, { ...HELLO, jobId })).toMatchObject({ jobId });
    expect(await service.get(tenant, jobId)).toMatchObject({ maxAttempts: 7, priority: 3 });
    const work = { ...HELLO, idempotencyKey: 'a'.repeat(64) };
    const first = await service.enqueue(tenant, work);
    expect(await service.enqueue(tenant, work)).toMatchObject({ jobId: first.jobId, created: false });
  });

  test('fills the quota exactly and enqueues all jobs of a call or none', async () => {
    const { service, tenant, seen } = await open({ jobsQueued: 2 });
    await expect(service.enqueueAll(tenant, [HELLO, HELLO, HELLO])).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { quota: 'jobsQueued', max: 2 },
    });
    expect(await service.counts(tenant)).toEqual({ queued: 0, running: 0 });
    expect(seen).toEqual([]);
    expect(await service.enqueueAll(tenant, [HELLO, HELLO])).toHaveLength(2);
    await expect(service.enqueue(tenant, HELLO)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  test('requires a payload within the size limit', async () => {
    const { service, tenant } = await open();
    const text = (chars: number) => 'x'.repeat(chars - 2);
    await expect(service.enqueue(tenant, { ...HELLO, payload: text(262_144) })).resolves.toBeDefined();
    for (const payload of [text(262_145), undefined]) {
      await expect(service.enqueue(tenant, { ...HELLO, payload })).rejects.toMatchObject({
        code: 'JOB_TOO_LARGE',
      });
    }
  });
});

test('reports a malformed id and a job of another tenant as not found', async () => {
  const { service, tenant } = await open();
  const { jobId } = await service.enqueue(tenant, HELLO);
  const other = { ...tenant, id: '00000000-0000-7000-8000-000000000000' };
  for (const [who, id] of [
    [tenant, 'no-id'],
    [other, jobId],
  ] as const) {
    for (const call of [service.get(who, id), service.cancel(who, id), service.retry(who, id)]) {
      await expect(call).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    }
  }
});

test('cancel calls onCancel before it returns and reports the change', async () => {
  const { service, tenant, seen } = await open();
  const { jobId } = await service.enqueue(tenant, HELLO);
  seen.length = 0;
  expect(await service.cancel(tenant, jobId)).toMatchObject({ status: 'canceled' });
  expect(seen).toEqual(['cancel canceled', `change ${jobId}`]);
  expect(await service.cancel(tenant, jobId)).toMatchObject({ status: 'canceled' });
});

test('retry requeues the job, wakes the workers and reports the change', async () => {
  const { service, tenant, records, seen } = await open();
  const { jobId } = await service.enqueue(tenant, HELLO);
  await end(records, 'failed');
  seen.length = 0;
  expect(await service.retry(tenant, jobId)).toMatchObject({ status: 'queued', attempt: 0 });
  expect(seen).toEqual(['ready', `change ${jobId}`]);
});

test('a refused change states the reason', async () => {
  const { service, tenant, records } = await open();
  const { jobId } = await service.enqueue(tenant, HELLO);
  await expect(service.retry(tenant, jobId)).rejects.toMatchObject({
    code: 'JOB_CONFLICT',
    message: 'The job is queued; it cannot be retried.',
    details: { status: 'queued' },
  });
  await end(records, 'done');
  await expect(service.cancel(tenant, jobId)).rejects.toMatchObject({
    code: 'JOB_CONFLICT',
    message: 'The job has ended as done; it cannot be canceled.',
  });
});

test('a retry names the job that already does the same work', async () => {
  const { service, tenant } = await open();
  const work = { ...HELLO, idempotencyKey: 'b'.repeat(64) };
  const first = await service.enqueue(tenant, work);
  await service.cancel(tenant, first.jobId);
  const second = await service.enqueue(tenant, work);
  await expect(service.retry(tenant, first.jobId)).rejects.toMatchObject({
    code: 'JOB_CONFLICT',
    details: { jobId: second.jobId },
  });
});

test('follows events to the end of the job or until aborted', async () => {
  const { service, tenant } = await open();
  const { jobId } = await service.enqueue(tenant, HELLO);
  await service.cancel(tenant, jobId);
  const seen: (string | null)[] = [];
  const { signal } = new AbortController();
  for await (const page of service.follow(tenant, jobId, { after: 0, signal })) {
    seen.push(...page.map(({ message }) => message));
  }
  expect(seen).toEqual(['canceled']);
  const stopped = service.follow(tenant, jobId, { after: 0, signal: AbortSignal.abort() });
  expect(await stopped.next()).toEqual({ value: undefined, done: true });
  expect(await service.events(tenant, jobId, { after: 1, limit: 10 })).toEqual([]);
});
