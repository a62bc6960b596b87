import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepingLog } from '../../test/support/keeping-log.js';
import { createRedactor } from '../net/index.js';
import { HeldJob } from './held-job.js';
import { JobWakes } from './job-events.js';
import { JOB_LIMITS } from './job-limits.js';
import type { Renewal, RenewOutcome } from './job-store.js';
import { LeaseKeeper } from './lease-keeper.js';

const LEASE_MS = 100_000;
const BEAT_MS = 10_000;
const redactor = createRedactor();

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A keeper with a store that responds as the test wants; `renewed` records the calls. */
function open({ leaseMs = LEASE_MS }: { leaseMs?: number } = {}) {
  const renewed: (readonly Renewal[])[] = [];
  const lost: string[] = [];
  const wakes = new JobWakes();
  const store = {
    respond: async (renewals: readonly Renewal[]): Promise<readonly RenewOutcome[]> =>
      renewals.map(() => 'held'),
    renew(renewals: readonly Renewal[]) {
      renewed.push(renewals);
      return store.respond(renewals);
    },
  };
  const keeper = new LeaseKeeper({
    store,
    leaseMs,
    clock: Date.now,
    log: keepingLog(),
    wakes,
    onLost: ({ job }) => void lost.push(`${job.jobId} ${job.leaseToken}`),
  });
  const hold = (jobId: string, leaseToken = 1) => {
    const job = {
      ...{ jobId, tenantId: 'tenant', tenant: 'acme', auditId: null, kind: 'hello' as const, attempt: 1 },
      ...{ maxAttempts: 3, payload: {}, eventSeq: 0, progressPct: null, leaseToken, ranMs: 0 },
    };
    const held = new HeldJob(job, Date.now(), {
      store: { recordStep: async () => true, steps: async () => [] },
      redactor,
      leaseMs,
      durationMs: 60_000,
      during: (_held, wait) => wait(),
      onEvent: () => keeper.flushSoon(),
    });
    held.state = 'running';
    keeper.add(held);
    return held;
  };
  const sent = () => renewed.map((each) => each.map(({ jobId }) => jobId));
  return { keeper, store, renewed, sent, lost, wakes, hold };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const down = () => Promise.reject(new Error('the store is down'));

describe('heartbeats', () => {
  test('one statement renews and extends all leases at every heartbeat', async () => {
    const { hold, sent, renewed } = open();
    const [a, b] = [hold('a'), hold('b', 5)];
    await pass(BEAT_MS - 1);
    expect(sent()).toEqual([]);
    await pass(1);
    expect(renewed).toEqual([
      [
        { jobId: 'a', leaseToken: 1, events: [] },
        { jobId: 'b', leaseToken: 5, events: [] },
      ],
    ]);
    expect([a.leaseUntil, b.leaseUntil]).toEqual([BEAT_MS + LEASE_MS, BEAT_MS + LEASE_MS]);
    await pass(BEAT_MS);
    expect(sent()).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  test('a lease runs from when its renewal was sent, not from when it was confirmed', async () => {
    const { hold, store } = open();
    const held = hold('a');
    store.respond = (renewals) =>
      new Promise((resolve) => setTimeout(() => resolve(renewals.map(() => 'held')), 3_000));
    await pass(BEAT_MS + 3_000);
    expect(held.leaseUntil).toBe(BEAT_MS + LEASE_MS);
  });

  test('stop with the last job and start again with the next', async () => {
    const { hold, keeper, sent } = open();
    keeper.drop(hold('a'));
    expect(vi.getTimerCount()).toBe(0);
    await pass(5 * BEAT_MS);
    expect([sent(), keeper.size]).toEqual([[], 0]);
    hold('b');
    await pass(BEAT_MS);
    expect(sent()).toEqual([['b']]);
  });

  test('continue while another job is held', async () => {
    const { hold, keeper, sent } = open();
    const a = hold('a');
    hold('b');
    keeper.drop(a);
    await pass(BEAT_MS);
    expect(sent()).toEqual([['b']]);
  });

  test('renew waiting and running jobs, but not settling or ended ones', async () => {
    const { hold, sent } = open();
    for (const state of ['waiting', 'running', 'settling', 'over'] as const) hold(state).state = state;
    await pass(BEAT_MS);
    expect(sent()).toEqual([['waiting', 'running']]);
  });

  test('send no statement if nothing is to be renewed', async () => {
    const { hold, renewed } = open();
    hold('a').state = 'settling';
    await pass(BEAT_MS);
    expect(renewed).toEqual([]);
  });

  test('one statement renews at most as many jobs as one claim takes', async () => {
    const { hold, renewed } = open();
    for (let n = 0; n <= JOB_LIMITS.claimMax; n++) hold(`job ${n}`);
    await pass(BEAT_MS);
    expect(renewed.map(({ length }) => length)).toEqual([JOB_LIMITS.claimMax, 1]);
  });
});

describe('renewal outcomes', () => {
  test('a lost lease aborts the handler and calls onLost', async () => {
    const { hold, store, lost } = open();
    const [a, b] = [hold('a'), hold('b')];
    store.respond = async () => ['lost', 'held'];
    await pass(BEAT_MS);
    expect([a.stopped, b.stopped, lost]).toEqual(['lost', undefined, ['a 1']]);
    expect(a.signal.reason).toMatchObject({ code: 'LEASE_LOST' });
  });

  test('a job without an outcome is lost', async () => {
    const { hold, store, lost } = open();
    hold('a');
    store.respond = async () => [];
    await pass(BEAT_MS);
    expect(lost).toEqual(['a 1']);
  });

  test('a cancel stops the handler and keeps the lease', async () => {
    const { hold, store, lost } = open();
    const held = hold('a');
    store.respond = async () => ['cancel'];
    await pass(BEAT_MS);
    expect([held.stopped, held.leaseUntil, lost]).toEqual(['cancel', BEAT_MS + LEASE_MS, []]);
  });

  test('ignores the outcome of a job that was settled in the meantime', async () => {
    const { hold, store, lost } = open();
    const held = hold('a');
    store.respond = async () => {
      held.state = 'settling';
      return ['lost'];
    };
    await pass(BEAT_MS);
    expect([held.stopped, held.leaseUntil, lost]).toEqual([undefined, LEASE_MS, []]);
  });

  test('apply to waiting jobs too', async () => {
    const { hold, store, lost } = open();
    const [a, b] = [hold('a'), hold('b')];
    a.state = 'waiting';
    b.state = 'waiting';
    store.respond = async () => ['held', 'lost'];
    await pass(BEAT_MS);
    expect([a.leaseUntil, b.leaseUntil, lost]).toEqual([BEAT_MS + LEASE_MS, LEASE_MS, ['b 1']]);
  });

  test('a renewal wakes the readers of events', async () => {
    const { hold, wakes } = open();
    hold('a');
    let isAwake = false;
    void wakes.wait({ jobId: 'a' }, 1e9, new AbortController().signal).then(() => {
      isAwake = true;
    });
    await pass(BEAT_MS);
    expect(isAwake).toBe(true);
  });
});

describe('a store that is down', () => {
  test('is retried every second, and leases survive a short outage', async () => {
    const { hold, store, sent, lost } = open();
    const held = hold('a');
    store.respond = down;
    await pass(BEAT_MS + 3_000);
    expect(sent()).toHaveLength(4);
    store.respond = async () => ['held'];
    await pass(1_000);
    expect([held.leaseUntil, lost]).toEqual([BEAT_MS + 4_000 + LEASE_MS, []]);
    await pass(BEAT_MS - 4_000 - 1);
    expect(sent()).toHaveLength(5);
  });

  test('is not retried more often the longer it is down', async () => {
    const { hold, store, sent } = open();
    hold('a');
    store.respond = down;
    await pass(5 * BEAT_MS);
    const before = sent().length;
    await pass(10_000);
    // Once per second, and once for the heartbeat.
    expect(sent().length - before).toBeLessThanOrEqual(11);
  });

  test('loses a lease only once it must have expired', async () => {
    const { hold, store, lost } = open();
    const held = hold('a');
    store.respond = down;
    await pass(LEASE_MS - 1);
    expect([held.stopped, lost]).toEqual([undefined, []]);
    await pass(1_000);
    expect([held.stopped, lost]).toEqual(['lost', ['a 1']]);
    expect(held.signal.reason).toMatchObject({ code: 'LEASE_LOST' });
    await pass(3 * BEAT_MS);
    expect(lost).toEqual(['a 1']);
  });

  test('is not retried once no job is held', async () => {
    const { hold, keeper, store, sent } = open();
    const held = hold('a');
    store.respond = down;
    await pass(BEAT_MS);
    keeper.drop(held);
    expect(vi.getTimerCount()).toBe(0);
    await pass(5 * BEAT_MS);
    expect(sent()).toHaveLength(1);
    hold('b');
    await pass(BEAT_MS + 2_000);
    expect(sent()).toEqual([['a'], ['b'], ['b'], ['b']]);
  });

  test('is retried only at the heartbeat if that is shorter than a second', async () => {
    const { hold, store, sent } = open({ leaseMs: 10_000 });
    hold('a');
    store.respond = down;
    await pass(3_000);
    expect(sent()).toHaveLength(3);
  });
});

describe('events', () => {
  const EVENT = { percent: 10, message: 'one of ten' };

  test('are written soon, only for jobs that have some', async () => {
    const { hold, renewed } = open();
    const a = hold('a');
    hold('b');
    a.progress(EVENT);
    await pass(JOB_LIMITS.flushMs - 1);
    expect(renewed).toEqual([]);
    await pass(1);
    expect(renewed).toMatchObject([[{ jobId: 'a', events: [{ seq: 1, message: 'one of ten' }] }]]);
    expect(a.buffer.isEmpty).toBe(true);
  });

  test('after a heartbeat are again written only for running jobs that have some', async () => {
    const { hold, sent } = open();
    const a = hold('a');
    hold('b');
    hold('c').state = 'waiting';
    await pass(BEAT_MS);
    a.progress(EVENT);
    await pass(JOB_LIMITS.flushMs);
    expect(sent()).toEqual([['a', 'b', 'c'], ['a']]);
  });

  test('are sent again with the same numbers until the store confirms them', async () => {
    const { hold, store, renewed } = open();
    const held = hold('a');
    store.respond = down;
    held.progress(EVENT);
    await pass(JOB_LIMITS.flushMs);
    expect(held.buffer.isEmpty).toBe(false);
    store.respond = async () => ['held'];
    await pass(1_000);
    expect(renewed.map(([first]) => first?.events.map(({ seq }) => seq))).toEqual([[1], [1]]);
    expect(held.buffer.isEmpty).toBe(true);
  });

  test('never run two statements at once and batch later events', async () => {
    const { hold, keeper, store, renewed } = open();
    const held = hold('a');
    const waiting: (() => void)[] = [];
    store.respond = () => new Promise((resolve) => waiting.push(() => resolve(['held'])));
    held.progress(EVENT);
    await pass(JOB_LIMITS.flushMs);
    held.progress(EVENT);
    await pass(JOB_LIMITS.flushMs);
    keeper.check();
    await pass(JOB_LIMITS.flushMs);
    expect(renewed).toHaveLength(1);
    waiting.shift()?.();
    await pass(0);
    expect(renewed.map(([first]) => first?.events.map(({ seq }) => seq))).toEqual([[1], [2]]);
    waiting.shift()?.();
    await pass(JOB_LIMITS.flushMs);
    expect(renewed).toHaveLength(2);
  });

  test('are written soon after a statement that was in flight', async () => {
    const { hold, store, renewed } = open();
    const held = hold('a');
    let confirm = () => {};
    store.respond = () => new Promise((resolve) => (confirm = () => resolve(['held'])));
    held.progress(EVENT);
    await pass(JOB_LIMITS.flushMs);
    held.progress(EVENT);
    await pass(JOB_LIMITS.flushMs);
    confirm();
    await pass(JOB_LIMITS.flushMs);
    expect(renewed.map(([first]) => first?.events.map(({ seq }) => seq))).toEqual([[1], [2]]);
  });
});

test('check renews at once', async () => {
  const { hold, keeper, sent } = open();
  hold('a');
  keeper.check();
  await pass(0);
  expect(sent()).toEqual([['a']]);
});

test('several checks during a statement cause one more', async () => {
  const { hold, keeper, store, sent } = open();
  hold('a');
  let confirm = () => {};
  store.respond = () => new Promise((resolve) => (confirm = () => resolve(['held'])));
  for (let n = 0; n < 3; n++) keeper.check();
  for (let n = 0; n < 4; n++) {
    confirm();
    await pass(0);
  }
  expect(sent()).toEqual([['a'], ['a']]);
});

test('stop leaves no retry of a statement that fails meanwhile', async () => {
  const { hold, keeper, store, sent } = open();
  hold('a');
  store.respond = () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('down')), 10));
  keeper.check();
  const stopped = keeper.stop();
  await pass(10);
  await stopped;
  expect([sent(), vi.getTimerCount()]).toEqual([[['a']], 0]);
});

test('a job that its worker lost and claimed again replaces the old one', () => {
  const { hold, keeper, lost } = open();
  const first = hold('a', 1);
  const second = hold('a', 2);
  expect([first.stopped, second.stopped, lost]).toEqual(['lost', undefined, ['a 1']]);
  expect(keeper.find('a')).toBe(second);
  keeper.drop(first);
  expect([keeper.find('a'), keeper.size]).toEqual([second, 1]);
});

test('stop waits for the statement in flight and leaves no timer', async () => {
  const { hold, keeper, store, sent } = open();
  const held = hold('a');
  let confirm = () => {};
  store.respond = () => new Promise((resolve) => (confirm = () => resolve(['held'])));
  keeper.check();
  held.progress({ percent: 1, message: 'one' });
  let isStopped = false;
  const stopped = keeper.stop().then(() => {
    isStopped = true;
  });
  await pass(0);
  expect([isStopped, vi.getTimerCount(), keeper.size]).toEqual([false, 0, 0]);
  confirm();
  await stopped;
  await pass(2 * BEAT_MS);
  expect(sent()).toHaveLength(1);
});
