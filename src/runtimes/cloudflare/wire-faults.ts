/** Passes coded errors between objects and the Worker as data, because RPC drops the code of a thrown error. */
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

/** In the object: wraps the outcome of `work`. An error without a code is logged here, where its stack is useful. */
export async function wrap<T>(log: Log, work: () => Promise<T>): Promise<WireResult<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof SondeError) return { fault: faultOf(error) };
    log.error('an object failed', { err: error });
    return { fault: { code: 'INTERNAL', message: 'An unexpected error occurred.', details: {} } };
  }
}

/** At the caller: returns the value or throws the error. A call without a result failed in the platform; retry it. */
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

/** Waits for a call, but only as long as its reader stays; then the result is `otherwise`. */
export async function unlessGone<T>(call: Promise<T>, signal: AbortSignal, otherwise: T): Promise<T> {
  let leave = () => {};
  const gone = new Promise<T>((resolve) => {
    leave = () => resolve(otherwise);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([gone, call]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
