/**
 * One claimed job of a worker. It waits for a free slot, runs, is settled and is over. If the store reports another
 * holder, the job is lost, and nothing more is written for it.
 */
import { SondeError } from '../errors.js';
import type { Redactor } from '../net/index.js';
import type { JobRun } from './job-handler.js';
import type { ClaimedJob, JobStore } from './job-store.js';
import { type EventDraft, ProgressBuffer } from './progress-buffer.js';
import { RecordedSteps } from './recorded-steps.js';
import type { Progress, Steps } from './steps.js';

/** Why a handler is aborted. */
export type StopReason = 'cancel' | 'lost' | 'stop' | 'overdue';

export interface HeldJobDeps {
  readonly store: Pick<JobStore, 'recordStep' | 'steps'>;
  readonly redactor: Redactor;
  readonly leaseMs: number;
  readonly durationMs: number;
  /** Runs a wait of the job, which may give its slot to another one meanwhile. */
  during<T>(held: HeldJob, wait: () => Promise<T>): Promise<T>;
  /** There are events to write. */
  onEvent(held: HeldJob): void;
}

/** Created on use: for the stack of an error created while a module loads, V8 parses the whole bundle again. */
const REASONS: Readonly<Record<StopReason, (deps: HeldJobDeps) => SondeError>> = {
  cancel: () => new SondeError('canceled', 'the job was canceled'),
  lost: () => new SondeError('LEASE_LOST', 'another worker has taken over the job'),
  stop: () => new SondeError('SERVER_STOPPING', 'the worker is stopping'),
  overdue: ({ durationMs }) =>
    new SondeError(
      'JOB_TIME_EXCEEDED',
      `the job ran for more than ${durationMs / 1000} s, the limit jobs.durationMs; give it less work or raise the limit`,
    ),
};

export class HeldJob implements JobRun {
  readonly job: ClaimedJob;
  readonly buffer: ProgressBuffer;
  state: 'waiting' | 'running' | 'settling' | 'over' = 'waiting';
  /** By the worker's clock, counted from before the claim was sent, so never later than the store's own deadline. */
  leaseUntil: number;
  readonly heldSince: number;
  onStop: ((reason: StopReason) => void) | undefined;
  readonly #deps: HeldJobDeps;
  #stopped: StopReason | undefined;
  #abort: AbortController | undefined;
  #steps: RecordedSteps | undefined;

  constructor(job: ClaimedJob, claimedAt: number, deps: HeldJobDeps) {
    this.job = job;
    this.heldSince = claimedAt;
    this.leaseUntil = claimedAt + deps.leaseMs;
    this.buffer = new ProgressBuffer(deps.redactor, job);
    this.#deps = deps;
  }

  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  /** Why it was stopped. */
  get reason(): SondeError | undefined {
    return this.#stopped && REASONS[this.#stopped](this.#deps);
  }

  /** Created on first use: most short jobs never need it. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#stopped && !this.#abort.signal.aborted) this.#abort.abort(this.reason);
    return this.#abort.signal;
  }

  get steps(): Steps {
    this.#steps ??= new RecordedSteps({
      store: this.#deps.store,
      lease: this.job,
      leaseMs: this.#deps.leaseMs,
      signal: this.signal,
      emit: (event) => this.emit(event),
      onLost: () => this.stop('lost'),
    });
    return this.#steps;
  }

  /** A field, so that a handler can destructure it. */
  readonly progress = ({ percent, message, data }: Progress): void => {
    this.emit({ type: 'metric', percent, message, ...(data && { data }) });
  };

  /** A field, for the same reason. */
  readonly during = <T>(wait: () => Promise<T>): Promise<T> => this.#deps.during(this, wait);

  emit(event: EventDraft): void {
    if (this.state !== 'running') return;
    this.buffer.add(event);
    this.#deps.onEvent(this);
  }

  /** The first reason counts, except that a lost lease overrides every other. */
  stop(reason: StopReason): void {
    if (this.#stopped !== undefined && reason !== 'lost') return;
    this.#stopped = reason;
    this.#abort?.abort(this.reason);
    this.onStop?.(reason);
  }

  /** Whether this or an earlier attempt may have recorded steps. */
  get mayHaveSteps(): boolean {
    return this.#steps !== undefined || this.job.leaseToken > 1;
  }
}
