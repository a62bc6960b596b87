/** How a proxied response ended: set once, with the last byte, and stored with the stream. */
import type { SondeError } from '../errors.js';

export const UPSTREAM_OUTCOMES = ['completed', 'aborted', 'timeout', 'failed'] as const;
export type UpstreamOutcome = (typeof UPSTREAM_OUTCOMES)[number];

export const UPSTREAM_FAULTS = [
  'UPSTREAM_BODY_TIMEOUT',
  'UPSTREAM_RESET',
  'UPSTREAM_TRUNCATED',
  'RESPONSE_TOO_LARGE',
  'STORAGE_ERROR',
  'SERVER_STOPPED',
  'PUMP_LOST',
  // Without a recorded response:
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
  'REDIRECT_NOT_ALLOWED',
] as const;
export type UpstreamFault = (typeof UPSTREAM_FAULTS)[number];

export interface Ending {
  readonly outcome: UpstreamOutcome;
  readonly error?: UpstreamFault;
}

export const COMPLETED: Ending = { outcome: 'completed' };
export const ABORTED: Ending = { outcome: 'aborted' };
export const TIMED_OUT: Ending = { outcome: 'timeout', error: 'UPSTREAM_BODY_TIMEOUT' };
export const failed = (error: UpstreamFault): Ending => ({ outcome: 'failed', error });

/** Maps the egress layer's error for a broken body. A coding that cannot be decoded means an incomplete response. */
export function endingOf({ code, details }: SondeError): Ending {
  if (code === 'timeout') return TIMED_OUT;
  if (code === 'response_too_large') return failed('RESPONSE_TOO_LARGE');
  if (code === 'canceled') return ABORTED;
  return failed(details['ending'] === 'reset' ? 'UPSTREAM_RESET' : 'UPSTREAM_TRUNCATED');
}
