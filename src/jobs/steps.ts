/**
 * The port a durable workflow runs on, shaped like a Cloudflare Workflow's `step`: there it is that very
 * step, on Node a step's result is recorded with its job under the lease.
 *
 * A step's result is JSON. A step that has ended once never runs again for the same run: its recorded
 * result is given back. A step that was cut off may run twice, so what it does must be safe to repeat.
 * Names are unique within a run and the same on every attempt.
 */
export interface StepOptions {
  readonly retries?: {
    readonly limit: number;
    readonly delayMs: number;
    readonly backoff: 'constant' | 'linear' | 'exponential';
  };
  readonly timeoutMs?: number;
}

export interface Steps {
  do<T>(name: string, options: StepOptions, run: () => Promise<T>): Promise<T>;
}

/** Progress of a run as shown to users; `percent` never decreases. */
export interface Progress {
  readonly percent: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** All that a workflow is given besides its input and its ports. */
export interface RunContext {
  readonly steps: Steps;
  /** Aborted when the run is canceled, its lease is lost or the process stops. */
  readonly signal: AbortSignal;
  progress(event: Progress): void;
}
