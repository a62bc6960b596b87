import { describe, expect, test } from 'vitest';
import { type InlineRecords, openInlineRecords } from '../../test/support/inline-records.js';
import type { Removal } from '../removal.js';
import type { Job } from './job.js';
import { JobWakes } from './job-events.js';
import { JobService, type QueueStore } from './job-service.js';
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

/** `replaced` replaces methods of the store. */
async function open(quotas: Tenant['quotas'] = {}, replaced: Partial<QueueStore> = {}) {
  const records = await openInlineRecords();
  const tenant: Tenant = { id: records.tenantId, slug: 'acme', name: 'acme', quotas, createdAt: 0 } as Tenant;
  const seen: string[] = [];
  const service = new JobService({
    store: Object.assign(Object.create(records.jobs), replaced) as QueueStore,
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
    for (const payload of [text(262_144), 0, null]) {
      const { jobId } = await service.enqueue(tenant, { ...HELLO, payload });
      expect((await service.get(tenant, jobId)).payload).toBe(payload);
    }
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

test('does not ask the store for a malformed id', async () => {
  const asked: string[] = [];
  const refuse = (name: string) => async () => {
    asked.push(name);
    throw new Error('invalid input syntax for type uuid');
  };
  const { service, tenant } = await open(
    {},
    { get: refuse('get'), cancel: refuse('cancel'), retry: refuse('retry'), remove: refuse('remove') },
  );
  for (const name of ['get', 'cancel', 'retry', 'remove'] as const) {
    await expect(service[name](tenant, 'no-id')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  }
  await service.removeIfEnded(tenant, 'no-id');
  expect(asked).toEqual([]);
});

test('fails if the store creates no job', async () => {
  const { service, tenant } = await open({}, { enqueue: async () => [] });
  await expect(service.enqueue(tenant, HELLO)).rejects.toMatchObject({ code: 'INTERNAL' });
});

describe('remove', () => {
  test('deletes a job that has ended, once, and reports the change', async () => {
    const { service, tenant, records, seen } = await open();
    const { jobId } = await service.enqueue(tenant, HELLO);
    await expect(service.remove(tenant, jobId)).rejects.toMatchObject({
      code: 'STILL_RUNNING',
      details: { cancel: `/api/jobs/${jobId}/cancel` },
    });
    await service.removeIfEnded(tenant, jobId);
    expect(await service.get(tenant, jobId)).toMatchObject({ status: 'queued' });
    await end(records, 'done');
    seen.length = 0;
    await service.remove(tenant, jobId);
    expect(seen).toEqual([`change ${jobId}`]);
    await expect(service.get(tenant, jobId)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(service.remove(tenant, jobId)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(seen).toEqual([`change ${jobId}`]);
  });

  test('removeIfEnded deletes a job that has ended', async () => {
    const { service, tenant, records } = await open();
    const { jobId } = await service.enqueue(tenant, HELLO);
    await end(records, 'failed');
    await service.removeIfEnded(tenant, jobId);
    await expect(service.get(tenant, jobId)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  test.each<[string, Removal[], string]>([
    ['removed after several steps', ['more', 'more', 'removed'], 'removed'],
    ['removed if retention deleted the rest', ['more', 'missing'], 'removed'],
    ['refused if it was retried in between', ['more', 'running'], 'STILL_RUNNING'],
    ['not found if it was never there', ['missing'], 'JOB_NOT_FOUND'],
  ])('a job is %s', async (_name, removals, expected) => {
    const { service, tenant } = await open({}, { remove: async () => removals.shift() ?? 'missing' });
    const removed = service.remove(tenant, '00000000-0000-7000-8000-000000000000').then(
      () => 'removed',
      ({ code }: { code: string }) => code,
    );
    expect([await removed, removals]).toEqual([expected, []]);
  });
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

test.each(['compare', 'suite'] as const)(
  'a %s job cannot be retried, because its requests are erased',
  async (kind) => {
    const { service, tenant, records } = await open();
    const { jobId } = await service.enqueue(tenant, { ...HELLO, kind });
    await service.cancel(tenant, jobId);
    await expect(service.retry(tenant, jobId)).rejects.toMatchObject({
      code: 'JOB_CONFLICT',
      message: expect.stringMatching(
        /cannot be retried, because the requests of its (?:comparison|suite) were erased/,
      ),
      details: { status: 'canceled' },
    });
    expect(await records.jobs.get(tenant.id, jobId)).toMatchObject({ status: 'canceled' });
  },
);

test('a job that starts with its row is refused before the row is created', async () => {
  const { service, tenant, seen } = await open({ jobsQueued: 0 } as Tenant['quotas']);
  const created: unknown[] = [];
  const create = async (job: unknown) => void created.push(job);
  await expect(service.start(tenant, HELLO, create)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  expect([created, seen]).toEqual([[], []]);
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
