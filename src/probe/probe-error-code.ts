import type { SondeError } from '../errors.js';
import { PROBE_ERROR_CODES, type ProbeErrorCode } from './signal-envelope.js';

const CODES: ReadonlySet<string> = new Set(PROBE_ERROR_CODES);

/** The code of an error as envelopes report it. */
export function probeErrorCode({ code }: SondeError): ProbeErrorCode {
  return CODES.has(code) ? (code as ProbeErrorCode) : 'unknown_error';
}
