/** Maps failures of a Durable Object's storage to coded errors. This is the only place that matches its messages. */
import { asSondeError, SondeError } from '../../../errors.js';

/** SQLite's own messages, which the platform passes on. */
const FULL = /SQLITE_FULL|database or disk is full/i;

export function objectFault(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  if (FULL.test(thrown instanceof Error ? thrown.message : String(thrown))) {
    return new SondeError('STORAGE_FULL', 'the object is full; nothing was written', { cause: thrown });
  }
  return asSondeError(thrown, 'STORAGE_UNAVAILABLE');
}
