/**
 * Writes the ends of a worker's jobs. Settlements are batched while a statement is in flight. If the store does not
 * respond, they are repeated, which is safe, until the job must have another holder.
 */
import { BatchCalls } from '../batch-calls.js';
import { asSondeError } from '../errors.js';
import type { Log } from '../log.js';
import type { HeldJob } from './held-job.js';
import type { JobWakes } from './job-events.js';
import { JOB_LIMITS } from './job-limits.js';
import type { JobStore, Settlement } from './job-store.js';

export interface SettlementWriterDeps {
  readonly store: Pick<JobStore, 'settle'>;
  readonly leaseMs: number;
  readonly clock: () => number;
  readonly log: Log;
  readonly wakes: JobWakes;
  /** Called with what the store has taken. */
  onSettled?(settlement: Settlement): void;
}

const RETRY_MS = { first: 50, max: 2_000 } as const;

export class SettlementWriter {
  readonly #deps: SettlementWriterDeps;
  readonly #calls: BatchCalls<Settlement, boolean>;
  #pending = 0;
  #closed = false;

  constructor(deps: SettlementWriterDeps) {
    this.#deps = deps;
    this.#calls = new BatchCalls(JOB_LIMITS.claimMax, (settlements) => deps.store.settle(settlements));
  }

  /** Settlements that are not written yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Never rejects. */
  async write(held: HeldJob, settlement: Settlement): Promise<void> {
    this.#pending++;
    await this.#write(held, settlement);
    this.#pending--;
  }

  /** A settlement that fails from now on is not repeated. */
  close(): void {
    this.#closed = true;
  }

  async #write(held: HeldJob, settlement: Settlement): Promise<void> {
    const { log, clock, wakes, leaseMs, onSettled } = this.#deps;
    const { jobId } = held.job;
    for (let delayMs: number = RETRY_MS.first; ; delayMs = Math.min(delayMs * 2, RETRY_MS.max)) {
      try {
        const taken = await this.#calls.call(settlement);
        if (taken) onSettled?.(settlement);
        else log.warn('the result of a job was discarded: its lease was lost', { jobId });
        wakes.wake(jobId);
        return;
      } catch (thrown) {
        const late = clock() > held.leaseUntil + leaseMs || this.#closed;
        log.warn('the result of a job could not be stored', {
          jobId,
          code: asSondeError(thrown).code,
          givenUp: late,
        });
        if (late) return;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }
}
