import { expect, test } from 'vitest';
import { createRedactor } from '../net/index.js';
import { HeldJob, type StopReason } from './held-job.js';

function held(leaseToken = 1): HeldJob & { readonly events: unknown[] } {
  const events: unknown[] = [];
  const job = {
    ...{
      jobId: 'job',
      tenantId: 'tenant',
      tenant: 'acme',
      auditId: null,
      kind: 'hello' as const,
      attempt: 1,
    },
    ...{ maxAttempts: 3, payload: {}, eventSeq: 0, progressPct: null, leaseToken, ranMs: 0 },
  };
  const heldJob = new HeldJob(job, 100, {
    store: { recordStep: async () => true, steps: async () => [] },
    redactor: createRedactor(),
    leaseMs: 1_000,
    durationMs: 60_000,
    during: (_held, wait) => wait(),
    onEvent: (each) => void events.push(each),
  });
  return Object.assign(heldJob, { events });
}

test.each<[string, StopReason[], string]>([
  ['the first reason counts', ['cancel', 'stop'], 'canceled'],
  ['the first reason counts in either order', ['stop', 'cancel'], 'SERVER_STOPPING'],
  ['a lost lease overrides a cancel', ['cancel', 'lost'], 'LEASE_LOST'],
  ['nothing overrides a lost lease', ['lost', 'cancel', 'stop'], 'LEASE_LOST'],
])('%s', (_name, reasons, code) => {
  const job = held();
  for (const reason of reasons) job.stop(reason);
  expect(job.signal.aborted).toBe(true);
  expect(job.signal.reason).toMatchObject({ code });
});

test('a stop aborts an existing signal and is reported once', () => {
  const job = held();
  const { signal } = job;
  const stops: StopReason[] = [];
  job.onStop = (reason) => void stops.push(reason);
  expect(signal.aborted).toBe(false);
  job.stop('cancel');
  job.stop('stop');
  expect([signal.aborted, stops]).toEqual([true, ['cancel']]);
});

test('only a running job emits events', () => {
  const job = held();
  job.progress({ percent: 10, message: 'too early' });
  expect([job.buffer.isEmpty, job.events]).toEqual([true, []]);
  job.state = 'running';
  job.progress({ percent: 20, message: 'two of ten', data: { n: 2 } });
  expect(job.buffer.take()).toMatchObject([
    { seq: 1, type: 'metric', message: 'two of ten', data: { n: 2 }, progressPct: 20 },
  ]);
  expect(job.events).toEqual([job]);
});

test('the lease is timed from before the claim', () => {
  expect(held()).toMatchObject({ heldSince: 100, leaseUntil: 1_100 });
});

test('mayHaveSteps is true once steps were accessed, and on later attempts', () => {
  const first = held();
  expect(first.mayHaveSteps).toBe(false);
  expect(first.steps).toBe(first.steps);
  expect(first.mayHaveSteps).toBe(true);
  expect(held(2).mayHaveSteps).toBe(true);
});
