/** What a start needs of its database: tried again for a while, since the two may be started or moved together. */
import { setTimeout as wait } from 'node:timers/promises';
import { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';

export interface DatabaseWait {
  /** 0: one try. */
  readonly databaseWaitMs?: number;
  readonly log: Log;
}

const RETRY_MS = 1_000;

/** Any other fault than an unavailable database is final. */
export async function waitForDatabase<T>(
  { databaseWaitMs = 0, log }: DatabaseWait,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const passing = thrown instanceof SondeError && thrown.code === 'STORAGE_UNAVAILABLE';
      if (!passing) throw thrown;
      if (performance.now() + RETRY_MS > until) throw gaveUp(thrown, databaseWaitMs);
      log.warn('waiting for the database', { reason: thrown.message, forAtMostMs: databaseWaitMs });
      await wait(RETRY_MS);
    }
  }
}

function gaveUp(cause: SondeError, waitedMs: number): SondeError {
  const waited = waitedMs === 0 ? '' : `; waited for ${waitedMs / 1000} s`;
  return new SondeError('STORAGE_UNAVAILABLE', `jobs.databaseUrl: ${cause.message}${waited}`, { cause });
}
