/**
 * Why the policy refused: the step that saw it, the rule that decided, and a sentence for people.
 * `sonde net check` prints these; everything else carries them as the details of a coded error.
 */
import { SondeError } from '../errors.js';

export type RefusalStep = 'url' | 'host' | 'port' | 'address' | 'dns' | 'peer';

export interface Refusal {
  readonly code: 'invalid_url' | 'ssrf_blocked';
  readonly step: RefusalStep;
  readonly rule: string;
  readonly message: string;
  /** The origin that `allowPrivate` would have to hold for this to pass. */
  readonly allow?: string;
  /** The URL that was probably meant. */
  readonly suggest?: string;
}

export function refusalError({ code, message, rule, step, allow, suggest }: Refusal): SondeError {
  const wayOut = { ...(allow !== undefined && { allow }), ...(suggest !== undefined && { suggest }) };
  return new SondeError(code, message, { details: { rule, step, ...wayOut } });
}
