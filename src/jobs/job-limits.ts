/** All limits of jobs. Those that an operator may change are settings with these defaults. */
export const JOB_LIMITS = {
  leaseMs: 300_000,
  maxAttempts: 3,
  /** Concurrent jobs of one worker process. */
  concurrency: 10,
  /** Tenants that may each start one more job while others wait for their targets or pauses. */
  guestsMax: 100,
  /** How often a worker without room looks for guests. */
  guestsEveryMs: 100,
  /** How long a job may run, over all attempts. */
  durationMs: 86_400_000,
  /** Maximum jobs per claim; only short jobs are claimed ahead of time. */
  claimMax: 500,
  /** Workers listed in an overview of the queue. */
  workersShown: 100,
  /** How much work a worker claims ahead of time, by the measured duration of jobs. */
  aheadMs: 100,
  pollMs: 1_000,
  reapEveryMs: 1_000,
  reapMax: 100,
  backoffFirstMs: 1_000,
  backoffMaxMs: 300_000,
  /** No lease and no delay is longer than these; a later deadline comes from a wrong clock. */
  leaseMaxMs: 3_600_000,
  delayMaxMs: 86_400_000,
  heartbeatMaxMs: 10_000,
  /** Below the promised 500 ms, to leave time for the statement itself. */
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
  /** The same as on Cloudflare, so that a workflow that runs here also runs there. */
  stepResultChars: 1_048_576,
  /** How long a handler may run after it was aborted. */
  graceMs: 30_000,
  retentionMs: 30 * 86_400_000,
  /** Ended jobs that one retention step deletes: a few milliseconds of store time. */
  pruneMax: 25,
} as const;

export function heartbeatMs(leaseMs: number): number {
  return Math.max(1, Math.min(JOB_LIMITS.heartbeatMaxMs, Math.floor(leaseMs / 10)));
}
