/** Coded errors between objects and the Worker: a call's error loses its code on the way, so it travels as data. */
import { type ErrorCode, type ErrorDetails, SondeError } from '../../errors.js';
import type { Log } from '../../log.js';

export interface WireFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type WireResult<T> = { readonly value: T } | { readonly fault: WireFault };

export function faultOf({ code, message, details }: SondeError): WireFault {
  return { code, message, details };
}

export function errorOf({ code, message, details }: WireFault): SondeError {
  return new SondeError(code, message, { details });
}

/** In the object: what became of `work`. A stranger is logged here, where its stack still means something. */
export async function wrap<T>(log: Log, work: () => Promise<T>): Promise<WireResult<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof SondeError) return { fault: faultOf(error) };
    log.error('an object failed', { err: error });
    return { fault: { code: 'INTERNAL', message: 'An unexpected error occurred.', details: {} } };
  }
}

/** At the caller: what the object gave. A call that did not come back is the platform's fault, and may be repeated. */
export async function unwrap<T>(call: Promise<WireResult<T>>): Promise<T> {
  let result: WireResult<T>;
  try {
    result = await call;
  } catch (cause) {
    throw new SondeError('STORAGE_UNAVAILABLE', 'the object that stores this did not respond', { cause });
  }
  if ('fault' in result) throw errorOf(result.fault);
  return result.value;
}
