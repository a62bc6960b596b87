/**
 * How a handler reports that its job cannot continue, and how a worker interprets what a handler threw: as a permanent
 * failure (the input must change) or a transient one. An unexpected error counts as transient: the job is retried and
 * fails only when its attempts are used up.
 */
import { SondeError } from '../errors.js';

export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly permanent: boolean;
  /** The earliest time for a retry, as given by the target. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: { permanent: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isPermanent(thrown: unknown): boolean {
  if (thrown instanceof JobFailure) return thrown.permanent;
  return thrown instanceof SondeError && thrown.facts.fault !== 'server' && !thrown.facts.retryable;
}

export function retryAfterOf(thrown: unknown): number {
  return thrown instanceof JobFailure ? Math.max(0, thrown.retryAfterMs ?? 0) : 0;
}

export function failureText(thrown: unknown): string {
  if (thrown instanceof SondeError) return `${thrown.code}: ${thrown.message}`;
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  return String(thrown);
}
