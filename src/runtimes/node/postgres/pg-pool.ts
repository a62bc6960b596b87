/**
 * A bounded pool of connections with time limits. A connection that did not respond in time, or whose server refuses
 * writes, is closed instead of reused, because a ROLLBACK would wait for the stuck statement.
 */
import pg from 'pg';
import type { PgQueries, PgRow, PgStatement, PgValue } from '../../../stores/postgres/pg-database.js';
import { destroyClient, PgConnections, SILENCE_MS } from './pg-client.js';
import { isConnectionUnusable, NoResponse } from './pg-faults.js';

const CONNECT_MS = 15_000;
const IDLE_MS = 30_000;
const CLOSE_MS = 2_000;

export interface PgPool {
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number };
  /** Runs `work` on a dedicated connection. `since` is when the caller began to wait, by `performance.now()`. */
  use<T>(since: number, work: (client: TimedClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One connection on which every statement has a time limit. */
export interface TimedClient extends PgQueries {
  /** `limitMs` is how long a response may take; 0 is no limit. */
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
  // An idle connection that breaks is replaced when the next statement needs one.
  pool.on('error', () => undefined);
  return {
    connections() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { busy: totalCount - idle, idle, waiting };
    },
    async use(since, work) {
      const client = await acquire(pool, watched, since);
      let fault: unknown;
      try {
        return await work(createTimedClient(client, watched));
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

/** Waits while the database responds on any connection, and for `SILENCE_MS` after the last response. */
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
    // If the connection succeeds later, it goes to the pool.
    connecting.then((client) => client.release(), ignore);
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

function createTimedClient(client: pg.PoolClient, watched: PgConnections): TimedClient {
  const send: TimedClient['send'] = async ({ name, text }, params, limitMs) => {
    const query =
      name === '' ? client.query(text) : client.query({ name, text, values: params as unknown[] });
    const result = await within(query, limitMs);
    watched.noteResponse();
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
