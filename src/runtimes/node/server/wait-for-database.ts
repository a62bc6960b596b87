/** Retries startup work for a while if the database is unavailable, because both may be started at the same time. */
import { setTimeout as wait } from 'node:timers/promises';
import { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { describeFault, needsOperator } from '../postgres/pg-faults.js';

export interface DatabaseWait {
  /** With 0 there is one attempt. */
  readonly databaseWaitMs?: number;
  readonly log: Log;
}

const RETRY_MS = 1_000;

/** Retries only if the database is unavailable and waiting may help; any other error is thrown at once. */
export async function waitForDatabase<T>(
  { databaseWaitMs = 0, log }: DatabaseWait,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const isUnavailable = thrown instanceof SondeError && thrown.code === 'STORAGE_UNAVAILABLE';
      if (!isUnavailable) throw thrown;
      if (needsOperator(thrown)) throw settingError(thrown);
      if (performance.now() + RETRY_MS > until) throw timeoutError(thrown, databaseWaitMs);
      log.warn('waiting for the database', { reason: thrown.message, forAtMostMs: databaseWaitMs });
      await wait(RETRY_MS);
    }
  }
}

/** What the database itself says names the role, database or table; only an operator sees it. */
function settingError(cause: SondeError): SondeError {
  const { sqlstate = 'no SQLSTATE', text } = describeFault(cause);
  const message = `jobs.databaseUrl: ${cause.message}. The database reported: ${text} (${sqlstate})`;
  return new SondeError('CONFIG_INVALID_VALUE', message, { cause, details: { key: 'jobs.databaseUrl' } });
}

function timeoutError(cause: SondeError, waitedMs: number): SondeError {
  const waited = waitedMs === 0 ? '' : `; waited for ${waitedMs / 1000} s`;
  return new SondeError('STORAGE_UNAVAILABLE', `jobs.databaseUrl: ${cause.message}${waited}`, { cause });
}
