/**
 * Logs what the driver said about a failed call. Callers, and their responses, get only that the store failed; without
 * this line nobody learns of a missing column. A lasting fault writes one line per second.
 */
import type { Log } from '../../../log.js';
import { LogLimit } from '../../../log-limit.js';

export interface LoggedFault {
  readonly code: string;
  /** Texts of SQLite name tables and columns, never values. */
  readonly cause?: string;
}

const EVERY_MS = 1_000;
const LOGGED: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_FULL']);

export function storeFaultLog(log: Log, path: string): (fault: LoggedFault) => void {
  const limit = new LogLimit({ everyMs: EVERY_MS });
  return ({ code, cause }) => {
    const repeated = cause !== undefined && LOGGED.has(code) && limit.pass(code);
    if (repeated) log.error('the store failed', { code, path, error: cause, ...repeated });
  };
}
