import { expect, test } from 'vitest';
import { decideJob, type JobEventKind, type JobSnapshot } from './decide-job.js';
import { type JobStatus, LEASE_EXPIRED } from './job.js';

const EVENTS = [
  'claim',
  'renew',
  'step',
  'done',
  'failed',
  'again',
  'release',
  'canceled',
  'expire',
] as const;
const USER_EVENTS = ['cancel', 'retry'] as const;

function verdictOf(event: JobEventKind, change: Partial<JobSnapshot>): string {
  const job = { attempt: 1, maxAttempts: 3, cancelRequested: false, lastError: null, holds: true };
  const verdict = decideJob({ status: 'running', ...job, ...change }, event);
  return verdict.kind === 'moves' ? verdict.to : verdict.kind;
}

/** What each event does to a job of this status, in the order of the events. */
const TABLE: Readonly<Record<JobStatus, string>> = {
  queued: 'running refused refused refused refused refused refused refused refused canceled refused',
  running: 'refused stays stays done failed queued queued canceled queued stays refused',
  done: 'refused refused refused refused refused refused refused refused refused refused refused',
  failed: 'refused refused refused refused refused refused refused refused refused refused queued',
  canceled: 'refused refused refused refused refused refused refused refused refused stays queued',
};

test.each(Object.entries(TABLE))('a %s job', (status, expected) => {
  const given = { status: status as JobStatus };
  expect([...EVENTS, ...USER_EVENTS].map((event) => verdictOf(event, given)).join(' ')).toBe(expected);
});

test('a running job with a requested cancel does not return to the queue', () => {
  const given = { cancelRequested: true };
  expect(EVENTS.map((event) => verdictOf(event, given)).join(' ')).toBe(
    'refused stays stays done failed canceled canceled canceled canceled',
  );
});

test('without the lease, nothing can be written', () => {
  const given = { holds: false };
  expect(EVENTS.map((event) => verdictOf(event, given)).join(' ')).toBe(
    'refused refused refused refused refused refused refused refused queued',
  );
});

test.each([
  [2, LEASE_EXPIRED, 'queued'],
  [3, LEASE_EXPIRED, 'failed'],
  [4, LEASE_EXPIRED, 'failed'],
  [3, 'another error', 'queued'],
  [3, null, 'queued'],
])('attempt %i of 3 whose lease expires, after %s: %s', (attempt, lastError, expected) => {
  expect(verdictOf('expire', { attempt, lastError })).toBe(expected);
});
