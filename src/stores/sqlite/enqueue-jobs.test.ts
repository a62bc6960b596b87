import { expect, test } from 'vitest';
import { audit, openTimedJobs, TENANT } from '../../../test/support/timed-jobs.js';

const KEY = 'f'.repeat(64);
const OTHER_KEY = 'e'.repeat(64);

test('a job has its defaults, and its audit the time at which it was queued', () => {
  const { clock, enqueue, get, audits } = openTimedJobs();
  expect(enqueue('a')).toEqual({ jobId: 'a', auditId: null, created: true });
  expect(get('a')).toMatchObject({
    priority: 0,
    queuedAt: clock.ms,
    runAt: clock.ms,
    payload: { jobId: 'a' },
  });
  enqueue('b', { delayMs: 50, priority: 7, payload: undefined });
  expect(get('b')).toMatchObject({ priority: 7, queuedAt: clock.ms, runAt: clock.ms + 50, payload: null });
  const made = enqueue('c', { kind: 'audit', audit: audit('x') });
  expect(made).toEqual({ jobId: 'c', auditId: 'x', created: true });
  expect(audits.get(TENANT, 'x')).toMatchObject({ jobId: 'c', createdAt: clock.ms, options: {} });
});

test('a repeated insert finds the job by its id, even if another job has the key now', () => {
  const { addTenant, enqueue, finish, get } = openTimedJobs();
  addTenant('other');
  enqueue('a', { idempotencyKey: KEY });
  finish('a', { outcome: 'failed', error: 'x' });
  enqueue('b', { idempotencyKey: KEY });
  expect(enqueue('a', { idempotencyKey: KEY })).toEqual({ jobId: 'a', auditId: null, created: true });
  expect(enqueue('c', { idempotencyKey: KEY })).toEqual({ jobId: 'b', auditId: null, created: false });
  expect(enqueue('d', { idempotencyKey: OTHER_KEY })?.created).toBe(true);
  expect(enqueue('e', { idempotencyKey: KEY, tenantId: 'other' })?.jobId).toBe('e');
  expect([get('c'), get('a')?.status]).toEqual([undefined, 'failed']);
});

test('jobs with keys of their own are never the same work', () => {
  const { enqueue } = openTimedJobs();
  for (const jobId of ['a', 'b']) {
    expect(enqueue(jobId, { idempotencyKey: '0'.repeat(64) })?.jobId).toBe(jobId);
  }
});

test('work that is running is found by its key', () => {
  const { enqueue, claim } = openTimedJobs();
  enqueue('a', { idempotencyKey: KEY });
  claim();
  expect(enqueue('b', { idempotencyKey: KEY })).toEqual({ jobId: 'a', auditId: null, created: false });
});

/** Two audits of the same work that are done, one that failed, and those of another key and another tenant. */
function withDoneAudits() {
  const opened = openTimedJobs();
  const { clock, addTenant, enqueue, finish } = opened;
  addTenant('other');
  const make = (
    id: string,
    fields: { reuseMs?: number; tenantId?: string; idempotencyKey?: string } = {},
  ) => {
    const { reuseMs, ...rest } = fields;
    const own = audit(`audit ${id}`, reuseMs === undefined ? {} : { reuseMs });
    return enqueue(id, { kind: 'audit', idempotencyKey: KEY, audit: own, ...rest });
  };
  const end = (id: string, fields: Parameters<typeof make>[1], outcome: 'done' | 'failed' = 'done') => {
    clock.ms += 10;
    make(id, fields);
    finish(id, { outcome, ...(outcome === 'failed' && { error: 'x' }) });
  };
  end('z old', {});
  end('new', {});
  end('failed', {}, 'failed');
  end('other key', { idempotencyKey: OTHER_KEY });
  end('other tenant', { tenantId: 'other' });
  return { ...opened, make };
}

test('the audit that finished last is reused until it is too old', () => {
  const { make } = withDoneAudits();
  // It finished 30 ms ago.
  expect(make('a', { reuseMs: 30 })).toEqual({ jobId: 'new', auditId: 'audit new', created: false });
  expect(make('b', { reuseMs: 40 })).toMatchObject({ jobId: 'new' });
  expect(make('c', { reuseMs: 29 })).toMatchObject({ jobId: 'c', created: true });
});

test('no audit is reused unless the caller asks for it', () => {
  const { make } = withDoneAudits();
  expect(make('a')).toMatchObject({ jobId: 'a', created: true });
  // The one that is queued now is found in any case.
  expect(make('b')).toMatchObject({ jobId: 'a', created: false });
  expect(make('c', { reuseMs: 40 })).toMatchObject({ jobId: 'a', created: false });
});
