import { expect, test } from 'vitest';
import { heartbeatMs, JOB_LIMITS } from './job-limits.js';

test('limits of jobs', () => {
  expect(JOB_LIMITS).toEqual({
    leaseMs: 300_000,
    maxAttempts: 3,
    concurrency: 10,
    guestsMax: 100,
    guestsEveryMs: 100,
    durationMs: 86_400_000,
    claimMax: 500,
    workersShown: 100,
    aheadMs: 100,
    pollMs: 1_000,
    reapEveryMs: 1_000,
    reapMax: 100,
    backoffFirstMs: 1_000,
    backoffMaxMs: 300_000,
    leaseMaxMs: 3_600_000,
    delayMaxMs: 86_400_000,
    heartbeatMaxMs: 10_000,
    flushMs: 250,
    eventsPerFlush: 100,
    eventsPerJob: 10_000,
    messageChars: 2_000,
    dataChars: 16_384,
    resultChars: 65_536,
    errorChars: 2_000,
    payloadChars: 262_144,
    stepNameChars: 128,
    stepsPerJob: 10_000,
    stepResultChars: 1_048_576,
    graceMs: 30_000,
    retentionMs: 2_592_000_000,
    pruneMax: 25,
  });
});

test.each([
  [300_000, 10_000],
  [100_000, 10_000],
  [99_999, 9_999],
  [2_000, 200],
  [5, 1],
])('a lease of %i ms is renewed every %i ms', (leaseMs, everyMs) => {
  expect(heartbeatMs(leaseMs)).toBe(everyMs);
});
