import { expect, test } from 'vitest';
import { event, openTimedJobs, TENANT } from '../../../test/support/timed-jobs.js';

function withHeld(jobIds: readonly string[] = ['a', 'b']) {
  const opened = openTimedJobs();
  for (const jobId of jobIds) opened.enqueue(jobId);
  const held = opened.claim();
  const of = (jobId: string) => {
    const job = held.find((each) => each.jobId === jobId);
    if (!job) throw new Error(`${jobId} is not held`);
    return job;
  };
  return { ...opened, of };
}

test('a renewal extends only its own lease, and the number of the last event never decreases', () => {
  const { clock, jobs, of, get, events } = withHeld();
  const before = get('b');
  clock.ms += 40;
  const renew = (seqs: readonly number[]) =>
    jobs.renew([{ ...of('a'), events: seqs.map((seq) => event(seq)) }], 500)[0];
  expect(renew([1, 2, 3])).toBe('held');
  expect(get('a')).toMatchObject({ lockedUntil: clock.ms + 500, eventSeq: 3 });
  expect(renew([])).toBe('held');
  expect(renew([2])).toBe('held');
  expect(get('a')).toMatchObject({ eventSeq: 3 });
  expect(events('a').map(({ seq, createdAt }) => [seq, createdAt])).toEqual(
    [1, 2, 3].map((seq) => [seq, clock.ms]),
  );
  expect(get('b')).toEqual(before);
  jobs.cancel(TENANT, 'a');
  expect(renew([])).toBe('cancel');
});

test.each([
  ['another job', { jobId: 'none' }],
  ['another lease', { leaseToken: 2 }],
])('the holder of %s can neither renew, record, nor settle', (_name, change) => {
  const { jobs, of, get, settle } = withHeld();
  const wrong = { ...of('a'), ...change };
  const before = ['a', 'b'].map((jobId) => get(jobId));
  expect(jobs.renew([{ ...wrong, events: [event(1)] }], 500)).toEqual(['lost']);
  expect(jobs.recordStep({ ...wrong, name: 's', result: '1', leaseMs: 5 })).toBe(false);
  expect(settle(wrong, { events: [event(1)] })).toBe(false);
  expect(['a', 'b'].map((jobId) => get(jobId))).toEqual(before);
  expect(jobs.steps('a')).toEqual([]);
});

test('a step extends the lease, belongs to its job, and is stored once', () => {
  const { clock, jobs, of, get } = withHeld();
  clock.ms += 10;
  const step = { ...of('a'), leaseMs: 300 };
  for (const result of ['1', '2']) expect(jobs.recordStep({ ...step, name: 'x', result })).toBe(true);
  expect(get('a')).toMatchObject({ lockedUntil: clock.ms + 300, eventSeq: 0 });
  expect([jobs.steps('a'), jobs.steps('b')]).toEqual([[{ name: 'x', result: '1' }], []]);
});

const OUTCOMES = [
  ['done', { status: 'done', attempt: 1 }],
  ['failed', { status: 'failed', attempt: 1, lastError: 'x' }],
  ['canceled', { status: 'canceled', attempt: 1 }],
  ['again', { status: 'queued', attempt: 1, finishedAt: null }],
  ['release', { status: 'queued', attempt: 0, finishedAt: null }],
] as const;

test.each(OUTCOMES)('a job that is settled as %s ends its lease and nothing else', (outcome, expected) => {
  const { clock, of, settle, get, events } = withHeld();
  const [a, b] = [get('a'), get('b')];
  clock.ms += 20;
  const delayMs = outcome === 'again' || outcome === 'release' ? 70 : 0;
  const error = outcome === 'failed' ? { error: 'x' } : {};
  const said = event(5, { message: null, data: { x: 1 } });
  expect(settle(of('a'), { outcome, delayMs, events: [said], ...error })).toBe(true);
  expect(get('a')).toEqual({
    ...a,
    ...{ finishedAt: clock.ms, lockedUntil: null, lockedBy: null, eventSeq: 5 },
    ...(delayMs > 0 && { runAt: clock.ms + delayMs }),
    ...expected,
  });
  expect(events('a')).toMatchObject([{ seq: 5, message: null, data: { x: 1 }, createdAt: clock.ms }]);
  expect(get('b')).toEqual(b);
});

test('the last error stays until there is another, and text that cannot be stored is replaced', () => {
  const { database, clock, of, settle, claim, get, events } = withHeld(['a']);
  settle(of('a'), { outcome: 'again', error: 'first\0' });
  clock.ms += 1;
  const [held] = claim();
  if (held) settle(held, { outcome: 'release', events: [event(1, { message: 'm\0' })] });
  expect(get('a')?.lastError).toBe('first\ufffd');
  expect(events('a')).toMatchObject([{ message: 'm\ufffd', data: null }]);
  expect(database.all('SELECT data_json FROM audit_progress_events', [])).toEqual([{ data_json: null }]);
});

test('steps are deleted only if the job is done, and only its own', () => {
  const { jobs, of, settle } = withHeld(['again', 'done', 'other', 'without']);
  const ids = ['again', 'done', 'other', 'without'];
  for (const id of ids) jobs.recordStep({ ...of(id), name: id, result: '1', leaseMs: 900 });
  settle(of('again'), { outcome: 'again', hadSteps: true });
  settle(of('done'), { hadSteps: true });
  settle(of('without'), { hadSteps: false });
  expect(ids.map((id) => jobs.steps(id).length)).toEqual([1, 0, 1, 1]);
});

test('a repeated settlement succeeds only with the outcome that the job has', () => {
  const { of, settle, jobs, get } = withHeld(['a', 'b', 'c', 'd']);
  settle(of('a'), { outcome: 'failed', error: 'x' });
  expect(settle(of('a'), { outcome: 'failed', error: 'x' })).toBe(true);
  for (const outcome of ['done', 'again', 'canceled'] as const)
    expect(settle(of('a'), { outcome })).toBe(false);
  settle(of('b'), { outcome: 'canceled' });
  // It was canceled by its own outcome, not instead of returning to the queue.
  expect(settle(of('b'), { outcome: 'again' })).toBe(false);
  jobs.cancel(TENANT, 'c');
  settle(of('c'), { outcome: 'done' });
  expect([settle(of('c'), { outcome: 'again' }), get('c')?.status]).toEqual([false, 'done']);
  jobs.cancel(TENANT, 'd');
  settle(of('d'), { outcome: 'release' });
  expect([settle(of('d'), { outcome: 'release' }), get('d')?.status]).toEqual([true, 'canceled']);
  expect(settle(of('d'), { outcome: 'failed' })).toBe(false);
});

test('a settled job keeps the higher number of its events', () => {
  const { jobs, of, settle, get } = withHeld(['a']);
  jobs.renew([{ ...of('a'), events: [event(8)] }], 500);
  settle(of('a'), { events: [event(3)] });
  expect(get('a')?.eventSeq).toBe(8);
});
