/**
 * A bounded pool of connections, and the time limits of using one. A connection that did not respond in time, or
 * whose server refuses writes, is closed instead of being reused: behind a stuck statement a ROLLBACK would wait
 * just as long.
 */
import pg from 'pg';
import type { PgQueries, PgRow, PgStatement, PgValue } from '../../../stores/postgres/pg-database.js';
import { destroyClient, PgConnections, SILENCE_MS } from './pg-client.js';
import { isConnectionUnusable, NoResponse } from './pg-faults.js';

const CONNECT_MS = 15_000;
const IDLE_MS = 30_000;
const CLOSE_MS = 2_000;

export interface PgPool {
  /** Runs `work` on a connection of its own. `since`: when the caller began to wait, by `performance.now()`. */
  use<T>(since: number, work: (client: TimedClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One connection, every statement of which has a time limit. */
export interface TimedClient extends PgQueries {
  /** `limitMs`: how long a response may take; 0 for as long as it takes. */
  send(statement: PgStatement, params: readonly PgValue[], limitMs: number): Promise<readonly PgRow[]>;
}

export function openPool(config: pg.ClientConfig, connections: number): PgPool {
  const watched = new PgConnections();
  const pool = new pg.Pool({
    ...config,
    Client: watched.clientClass(),
    max: connections,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A connection that breaks while it is idle is replaced by the next statement that needs one.
  pool.on('error', () => undefined);
  return {
    async use(since, work) {
      const client = await acquire(pool, watched, since);
      let fault: unknown;
      try {
        return await work(timed(client, watched));
      } catch (thrown) {
        fault = thrown;
        throw thrown;
      } finally {
        release(client, fault);
      }
    },
    async close() {
      const late = setTimeout(() => watched.destroy(), CLOSE_MS);
      await pool.end();
      clearTimeout(late);
    },
  };
}

/** Waits as long as the database shows signs of life on any connection, and `SILENCE_MS` after the last. */
async function acquire(pool: pg.Pool, watched: PgConnections, since: number): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_resolve, reject) => {
    const check = () => {
      const leftMs = Math.max(since, watched.lastReceivedAt) + SILENCE_MS - performance.now();
      if (leftMs <= 0) reject(new NoResponse(SILENCE_MS));
      else timer = setTimeout(check, leftMs);
    };
    check();
  });
  try {
    return await Promise.race([connecting, silent]);
  } catch (thrown) {
    // One that is made after all goes to the next that needs one.
    connecting.then((client) => client.release(), ignore);
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

function timed(client: pg.PoolClient, watched: PgConnections): TimedClient {
  const send: TimedClient['send'] = async ({ name, text }, params, limitMs) => {
    const query =
      name === '' ? client.query(text) : client.query({ name, text, values: params as unknown[] });
    const result = await within(query, limitMs);
    watched.noteSign();
    return Array.isArray(result) ? [] : result.rows;
  };
  return { send, query: (statement, params) => send(statement, params, SILENCE_MS) };
}

async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  if (limitMs === 0) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoResponse(limitMs)), limitMs);
  });
  work.catch(ignore);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function release(client: pg.PoolClient, fault: unknown): void {
  if (fault === undefined || !isConnectionUnusable(fault)) return client.release();
  destroyClient(client);
  client.release(true);
}

const ignore = (): void => undefined;
