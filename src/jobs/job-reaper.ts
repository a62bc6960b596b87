/**
 * Finds expired leases every second and requeues or ends their jobs. Every worker runs a reaper, so the others find
 * the jobs of a dead worker.
 */
import { asSondeError } from '../errors.js';
import type { Log } from '../log.js';
import { LogLimit, POLL_FAULT_LOG_MS } from '../log-limit.js';
import type { JobWakes } from './job-events.js';
import { JOB_LIMITS } from './job-limits.js';
import type { JobStore } from './job-store.js';

export interface ReaperDeps {
  readonly store: Pick<JobStore, 'reap' | 'pullBack'>;
  readonly wakes: JobWakes;
  readonly log: Log;
  readonly random: () => number;
}

const PULL_BACK_EVERY_REAPS = 20;

export class JobReaper {
  readonly #deps: ReaperDeps;
  readonly #faultLog = new LogLimit({ everyMs: POLL_FAULT_LOG_MS });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #reaps = 0;

  constructor(deps: ReaperDeps) {
    this.#deps = deps;
  }

  start(): void {
    // Between half and one and a half times the interval, so that workers do not reap in step.
    const everyMs = JOB_LIMITS.reapEveryMs * (0.5 + this.#deps.random());
    this.#timer = setTimeout(() => void this.#run(), everyMs);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    try {
      await this.#pullBack();
      await this.#reap();
    } catch (thrown) {
      const { code } = asSondeError(thrown);
      const repeated = this.#faultLog.pass(code);
      if (repeated) this.#deps.log.warn('expired leases could not be reaped', { code, ...repeated });
    }
    this.#reaps++;
    if (!this.#stopped) this.start();
  }

  async #pullBack(): Promise<void> {
    if (this.#reaps % PULL_BACK_EVERY_REAPS !== 0) return;
    const jobs = await this.#deps.store.pullBack();
    if (jobs > 0) this.#deps.log.warn('the clock was ahead; job deadlines were moved back', { jobs });
  }

  async #reap(): Promise<void> {
    const { store, random, log, wakes } = this.#deps;
    const { reapMax, backoffFirstMs, backoffMaxMs } = JOB_LIMITS;
    for (let found: number = reapMax; found === reapMax && !this.#stopped; ) {
      const fractions = Array.from({ length: reapMax }, random);
      const reaped = await store.reap({ limit: reapMax, backoffFirstMs, backoffMaxMs, fractions });
      found = reaped.length;
      for (const { jobId, kind, status } of reaped) {
        log.warn('a lease has expired', { jobId, kind, status });
        wakes.wake(jobId);
      }
    }
  }
}
