/** Every bound of jobs, by name. Those that an operator may change come as settings. */
export const JOB_LIMITS = {
  leaseMs: 300_000,
  maxAttempts: 3,
  /** Jobs of one worker process that run at the same time. */
  concurrency: 10,
  /** Jobs that one claim takes at most; only short jobs are ever taken ahead of time. */
  claimMax: 500,
  /** Workers that an overview of the queue lists. */
  workersShown: 100,
  /** How much work, by the measured length of jobs, a worker claims ahead of time. */
  aheadMs: 100,
  pollMs: 1_000,
  reapEveryMs: 1_000,
  reapMax: 100,
  backoffFirstMs: 1_000,
  backoffMaxMs: 300_000,
  /** No lease is longer, and no job waits longer for its next attempt; a later time comes from a wrong clock. */
  leaseMaxMs: 3_600_000,
  delayMaxMs: 86_400_000,
  heartbeatMaxMs: 10_000,
  /** Below the promised 500 ms, so that the statement itself has time. */
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
  /** As on Cloudflare, so that a workflow that runs here runs there. */
  stepResultChars: 1_048_576,
  /** How long a handler may run after it was aborted. */
  graceMs: 30_000,
  retentionMs: 30 * 86_400_000,
  /** Ended jobs that one step of retention takes: a few milliseconds of a store. */
  pruneMax: 25,
} as const;

export function heartbeatMs(leaseMs: number): number {
  return Math.max(1, Math.min(JOB_LIMITS.heartbeatMaxMs, Math.floor(leaseMs / 10)));
}
