/**
 * Runs one claimed job to its settlement, for hosts that run each job on its own instead of many in one worker. It
 * uses the same parts as a worker to keep the lease, write events and decide the outcome.
 */
import type { Log } from '../log.js';
import type { Redactor } from '../net/index.js';
import { HeldJob } from './held-job.js';
import { JobWakes } from './job-events.js';
import type { JobHandler } from './job-handler.js';
import type { ClaimedJob, JobStore, Settlement } from './job-store.js';
import { LeaseKeeper } from './lease-keeper.js';
import { type Ending, settlementOf } from './settle-job.js';
import type { Steps } from './steps.js';

export interface HeldRunDeps {
  readonly store: Pick<JobStore, 'renew' | 'recordStep' | 'steps'>;
  readonly handler: JobHandler;
  readonly workerId: string;
  readonly leaseMs: number;
  readonly durationMs: number;
  /** Whether the `running` event was already written. */
  readonly resumed: boolean;
  /** Wraps the recorded steps in the host's own. */
  stepsOver(recorded: Steps, signal: AbortSignal): Steps;
  /** Not called if the lease is lost. */
  settle(settlement: Settlement): Promise<void>;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly clock: () => number;
  readonly random: () => number;
}

export async function runHeldJob(job: ClaimedJob, deps: HeldRunDeps): Promise<void> {
  const { clock, workerId } = deps;
  // Readers wait in the process that has the store, so nobody waits on this.
  const wakes = new JobWakes();
  const keeper = new LeaseKeeper({ ...deps, wakes, onLost: () => undefined });
  const held = new HeldJob(job, clock(), {
    ...deps,
    // The host runs every job on its own, so a wait takes no other job's place.
    during: (_held, wait) => wait(),
    onEvent: () => keeper.flushSoon(),
  });
  keeper.add(held);
  held.state = 'running';
  if (!deps.resumed) {
    const data = { status: 'running', attempt: job.attempt, worker: workerId };
    held.emit({ type: 'status_changed', message: 'running', data, isTrusted: true });
  }
  const overdue = setTimeout(() => held.stop('overdue'), remainingMs(job, deps.durationMs));
  const startedAt = clock();
  const ending = await endingOf(held, deps);
  clearTimeout(overdue);
  held.state = 'settling';
  await keeper.stop();
  if (held.stopped === 'lost') return;
  await deps.settle({ ...settlementOf(held, ending, deps), ranMs: clock() - startedAt });
  held.state = 'over';
}

async function endingOf(held: HeldJob, { handler, stepsOver }: HeldRunDeps): Promise<Ending> {
  const { job, progress, signal, during } = held;
  try {
    const result = await handler(job.payload, {
      job,
      progress,
      signal,
      during,
      steps: stepsOver(held.steps, signal),
    });
    return { kind: 'returned', result };
  } catch (thrown) {
    return { kind: 'threw', thrown };
  }
}

/** How much longer a claimed job may run. */
/** A job that an object of an older release started has no count. */
export function remainingMs({ ranMs = 0 }: ClaimedJob, durationMs: number): number {
  return Math.max(0, durationMs - ranMs);
}
