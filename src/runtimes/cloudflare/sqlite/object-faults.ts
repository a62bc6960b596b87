/** What a Durable Object's storage says when it fails, as coded errors. Its texts are matched here alone. */
import { asSondeError, SondeError } from '../../../errors.js';

/** SQLite's own words for it; the platform passes them on. */
const FULL = /SQLITE_FULL|database or disk is full/i;

export function objectFault(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  if (FULL.test(thrown instanceof Error ? thrown.message : String(thrown))) {
    return new SondeError('STORAGE_FULL', 'the object is full; nothing was written', { cause: thrown });
  }
  return asSondeError(thrown, 'STORAGE_UNAVAILABLE');
}
