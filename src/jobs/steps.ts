/**
 * The port that durable workflows run on, modelled on the `step` of a Cloudflare Workflow. On Cloudflare it is that
 * step; on Node the result of a step is recorded with its job under the lease.
 *
 * The result of a step is JSON. A step that has completed never runs again in the same run: its recorded result is
 * returned. An interrupted step may run twice, so its work must be safe to repeat. Names are unique within a run and
 * the same on every attempt.
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

/** What a workflow gets in addition to its input and its ports. */
export interface RunContext {
  readonly steps: Steps;
  /** Aborted when the run is canceled, its lease is lost or the process stops. */
  readonly signal: AbortSignal;
  progress(event: Progress): void;
}
