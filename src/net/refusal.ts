/**
 * Why the policy refused a URL: the step, the rule and a readable message. `sonde net check` prints these; elsewhere
 * they become the details of a coded error.
 */
import { SondeError } from '../errors.js';

export type RefusalStep = 'url' | 'host' | 'port' | 'address' | 'dns' | 'peer';

export interface Refusal {
  readonly code: 'invalid_url' | 'ssrf_blocked';
  readonly step: RefusalStep;
  readonly rule: string;
  readonly message: string;
  /** The origin to add to `allowPrivate` to allow this. */
  readonly allow?: string;
  /** The URL that was probably meant. */
  readonly suggest?: string;
}

export function refusalError({ code, message, rule, step, allow, suggest }: Refusal): SondeError {
  const hints = { ...(allow !== undefined && { allow }), ...(suggest !== undefined && { suggest }) };
  return new SondeError(code, message, { details: { rule, step, ...hints } });
}
