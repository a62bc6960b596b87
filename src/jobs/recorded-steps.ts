/**
 * The `Steps` port of a job: the result of a step is recorded under the lease before the run continues, and a later
 * attempt gets the recorded result without running the step. If a step cannot be recorded because the lease is lost,
 * the run ends: the new holder of the job will run the step itself.
 */
import { SondeError } from '../errors.js';
import type { Lease } from './job.js';
import { isPermanent } from './job-failure.js';
import { JOB_LIMITS } from './job-limits.js';
import type { JobStore } from './job-store.js';
import type { EventDraft } from './progress-buffer.js';
import type { StepOptions, Steps } from './steps.js';

export interface RecordedStepsDeps {
  readonly store: Pick<JobStore, 'recordStep' | 'steps'>;
  readonly lease: Lease;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
  emit(event: EventDraft): void;
  /** Called when the store reports that another worker holds the job. */
  onLost(): void;
}

export class RecordedSteps implements Steps {
  readonly #deps: RecordedStepsDeps;
  readonly #begun = new Set<string>();
  #known: Promise<Map<string, string>> | undefined;

  constructor(deps: RecordedStepsDeps) {
    this.#deps = deps;
  }

  async do<T>(name: string, options: StepOptions, run: () => Promise<T>): Promise<T> {
    this.#begin(name);
    try {
      return await this.#runOnce(name, options, run);
    } catch (thrown) {
      // The platform may repeat a failed step, which must not count as started twice.
      this.#begun.delete(name);
      throw thrown;
    }
  }

  async #runOnce<T>(name: string, options: StepOptions, run: () => Promise<T>): Promise<T> {
    const { signal } = this.#deps;
    const known = await this.#recorded();
    const recorded = known.get(name);
    if (recorded !== undefined) return JSON.parse(recorded) as T;
    signal.throwIfAborted();
    if (known.size >= JOB_LIMITS.stepsPerJob)
      throw tooLarge(`a job can have at most ${JOB_LIMITS.stepsPerJob} steps`);
    this.#deps.emit({ type: 'step_started', message: name });
    const result = await withRetries(run, options, signal);
    // Returns the value after a JSON round trip, the same as a later attempt would get.
    const text = await this.#record(name, result);
    known.set(name, text);
    this.#deps.emit({ type: 'step_done', message: name });
    return JSON.parse(text) as T;
  }

  /** Reads the recorded steps once; after a failure the next step reads again. */
  #recorded(): Promise<Map<string, string>> {
    const { store, lease } = this.#deps;
    this.#known ??= store
      .steps(lease.jobId)
      .then((steps) => new Map(steps.map((step) => [step.name, step.result])))
      .catch((thrown: unknown) => {
        this.#known = undefined;
        throw thrown;
      });
    return this.#known;
  }

  #begin(name: string): void {
    if (name.length === 0 || name.length > JOB_LIMITS.stepNameChars) {
      throw new SondeError('INTERNAL', `a step's name must have 1 to ${JOB_LIMITS.stepNameChars} characters`);
    }
    if (this.#begun.has(name))
      throw new SondeError('INTERNAL', `the step "${name}" was started twice in one run`);
    this.#begun.add(name);
  }

  async #record(name: string, result: unknown): Promise<string> {
    const { store, lease, leaseMs } = this.#deps;
    const text = JSON.stringify(result) ?? 'null';
    if (text.length > JOB_LIMITS.stepResultChars) {
      throw tooLarge(`the result of step "${name}" has ${text.length} characters of JSON, more than allowed`);
    }
    const taken = await store.recordStep({ ...lease, name, result: text, leaseMs });
    if (taken) return text;
    this.#deps.onLost();
    throw new SondeError(
      'LEASE_LOST',
      `the step "${name}" was not recorded: another worker has taken over the job`,
    );
  }
}

function tooLarge(message: string): SondeError {
  return new SondeError('JOB_TOO_LARGE', message);
}

async function withRetries<T>(run: () => Promise<T>, options: StepOptions, signal: AbortSignal): Promise<T> {
  const { retries, timeoutMs } = options;
  for (let failed = 0; ; failed++) {
    try {
      return await within(run, timeoutMs, signal);
    } catch (error) {
      if (!retries || failed >= retries.limit || isPermanent(error)) throw error;
      await pause(delayAfter(failed, retries), signal);
    }
  }
}

/** Bounded, because a timer that is too long fires at once. */
function delayAfter(failed: number, { delayMs, backoff }: NonNullable<StepOptions['retries']>): number {
  const factor = backoff === 'constant' ? 1 : backoff === 'linear' ? failed + 1 : 2 ** failed;
  return Math.min(JOB_LIMITS.delayMaxMs, delayMs * factor);
}

/** A step that times out is not awaited any longer; a step must be safe to repeat anyway. */
async function within<T>(run: () => Promise<T>, ms: number | undefined, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    const timer =
      ms === undefined
        ? undefined
        : setTimeout(() => reject(new SondeError('timeout', `a step took longer than ${ms} ms`)), ms);
    stop = () => {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    };
  });
  try {
    return await Promise.race([run(), interrupted]);
  } finally {
    stop();
  }
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort);
  });
}
