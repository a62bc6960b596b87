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
}

export function refusalError(refusal: Refusal): SondeError {
  return new SondeError(refusal.code, refusal.message, {
    details: { rule: refusal.rule, step: refusal.step },
  });
}
