import { describe, expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { createRedactor, type Redactor } from '../net/index.js';
import { HeldJob, type StopReason } from './held-job.js';
import { JobFailure } from './job-failure.js';
import { JOB_LIMITS } from './job-limits.js';
import type { ClaimedJob } from './job-store.js';
import { type Ending, releaseOf, settlementOf } from './settle-job.js';

const JOB: ClaimedJob = {
  jobId: 'job',
  tenantId: 'tenant',
  tenant: 'acme',
  auditId: null,
  kind: 'hello',
  attempt: 1,
  maxAttempts: 3,
  payload: {},
  eventSeq: 4,
  progressPct: null,
  leaseToken: 7,
  ranMs: 0,
};

const redactor = createRedactor();

function held(job: Partial<ClaimedJob> = {}, stopped?: StopReason, used: Redactor = redactor): HeldJob {
  const heldJob = new HeldJob({ ...JOB, ...job }, 0, {
    store: { recordStep: () => Promise.reject(new Error('no steps')), steps: async () => [] },
    redactor: used,
    leaseMs: 1_000,
    durationMs: 60_000,
    during: (_held, wait) => wait(),
    onEvent: () => undefined,
  });
  heldJob.state = 'running';
  if (stopped) heldJob.stop(stopped);
  return heldJob;
}

const threw = (thrown: unknown): Ending => ({ kind: 'threw', thrown });
const settle = (job: HeldJob, ending: Ending, random = 0.5) =>
  settlementOf(job, ending, { redactor, random: () => random });

test('a job whose handler returned is done, with its result in the last event', () => {
  expect(settle(held(), { kind: 'returned', result: { url: 'https://u:hunter2hunter2@x.test/' } })).toEqual({
    jobId: 'job',
    leaseToken: 7,
    outcome: 'done',
    hadSteps: true,
    events: [
      {
        seq: 5,
        type: 'status_changed',
        message: 'done',
        data: { status: 'done', attempt: 1, result: { url: 'https://[REDACTED]@x.test/' } },
        progressPct: 100,
      },
    ],
  });
});

test('a job whose handler returned nothing has no result', () => {
  const { events } = settle(held(), { kind: 'returned', result: undefined });
  expect(events).toEqual([
    {
      seq: 5,
      type: 'status_changed',
      message: 'done',
      data: { status: 'done', attempt: 1 },
      progressPct: 100,
    },
  ]);
});

test.each<[string, Ending]>([
  ['a job that failed', { kind: 'threw', thrown: new Error('reset') }],
  ['a job without a result', { kind: 'returned', result: undefined }],
])('does not redact the last event of %s a second time', (_name, ending) => {
  const redacted: unknown[] = [];
  const counting: Redactor = {
    ...redactor,
    value: (value) => {
      redacted.push(value);
      return redactor.value(value);
    },
  };
  const { events } = settle(held({}, undefined, counting), ending);
  expect([events.length, redacted]).toEqual([1, []]);
});

describe('a handler that threw', () => {
  const TRANSIENT = new SondeError('timeout', 'no response');

  test('runs again after a delay that doubles with every attempt', () => {
    const delays = [1, 2].map((attempt) => settle(held({ attempt }), threw(TRANSIENT)).delayMs);
    expect(delays).toEqual([500, 1_000]);
  });

  test('runs again no sooner than the target requested', () => {
    const late = new JobFailure('busy', { permanent: false, retryAfterMs: 20_000 });
    expect(settle(held(), threw(late))).toMatchObject({ outcome: 'again', delayMs: 20_000, error: 'busy' });
    const soon = new JobFailure('busy', { permanent: false, retryAfterMs: 10 });
    expect(settle(held(), threw(soon)).delayMs).toBe(500);
  });

  test('waits at most a day, whatever the target requests', () => {
    const never = new JobFailure('busy', { permanent: false, retryAfterMs: 1e12 });
    expect(settle(held(), threw(never)).delayMs).toBe(JOB_LIMITS.delayMaxMs);
  });

  test('has the reason and the delay in its last event', () => {
    expect(settle(held(), threw(TRANSIENT)).events).toEqual([
      {
        seq: 5,
        type: 'status_changed',
        message: 'queued',
        data: { status: 'queued', attempt: 1, error: 'timeout: no response', delayMs: 500 },
        progressPct: null,
      },
    ]);
  });

  test.each([
    ['its last attempt', { attempt: 3 }, TRANSIENT],
    ['more attempts than allowed', { attempt: 4 }, TRANSIENT],
    ['a permanent failure', {}, new JobFailure('bad input', { permanent: true })],
    ['an error of the caller', {}, new SondeError('INVALID_REQUEST', 'bad input')],
  ])('fails permanently: %s', (_name, job, thrown) => {
    const settlement = settle(held(job), threw(thrown));
    expect(settlement).toMatchObject({ outcome: 'failed', error: expect.any(String) });
    expect(settlement).not.toHaveProperty('delayMs');
    expect(settlement.events.at(-1)).toMatchObject({ message: 'failed', progressPct: null });
  });

  test('redacts and truncates its error', () => {
    const secret = new Error(`postgres://u:hunter2hunter2@db/x ${'y'.repeat(JOB_LIMITS.errorChars)}`);
    const { error = '' } = settle(held(), threw(secret));
    expect(error).toHaveLength(JOB_LIMITS.errorChars);
    expect(error).toMatch(/^postgres:\/\/\[REDACTED\]@db\/x y/);
  });
});

test.each([
  ['cancel', 'canceled', 'canceled'],
  ['stop', 'release', 'queued'],
] as const)('after %s, the outcome is %s whatever the handler threw', (reason, outcome, message) => {
  const settlement = settle(held({ attempt: 3 }, reason), threw(new Error('aborted')));
  expect(settlement).toMatchObject({ outcome, events: [{ message, data: { status: message, attempt: 3 } }] });
  expect(settlement).not.toHaveProperty('error');
});

test('a handler that returns despite a cancel completes the job', () => {
  expect(settle(held({}, 'cancel'), { kind: 'returned', result: 1 }).outcome).toBe('done');
});

test('releases a job that never started without events', () => {
  expect(releaseOf(held())).toEqual({
    jobId: 'job',
    leaseToken: 7,
    outcome: 'release',
    events: [],
    hadSteps: false,
  });
});
