/**
 * PostgreSQL behind the port of `stores/postgres`. A bounded pool; a statement whose connection was lost is sent
 * again on another one, with growing waits, until its time is up. Nothing waits for ever: not for a connection,
 * not for a statement, not for a lock.
 */
import pg from 'pg';
import type { Log } from '../../../log.js';
import type {
  PgDatabase,
  PgQueries,
  PgRow,
  PgStatement,
  PgValue,
} from '../../../stores/postgres/pg-database.js';
import { listenOn } from './listen.js';
import { mayBeSentAgain, toDatabaseError } from './pg-faults.js';

export interface PostgresOptions {
  readonly url: string;
  readonly log: Log;
  readonly connections?: number;
  /** How long a statement is tried in all before it is refused. */
  readonly patienceMs?: number;
}

export interface OpenPostgres extends PgDatabase {
  close(): Promise<void>;
}

const DEFAULTS = { connections: 10, patienceMs: 5_000 } as const;
const CONNECT_MS = 3_000;
const STATEMENT_MS = 30_000;
const IDLE_MS = 30_000;
/**
 * Our statements have one good plan each, whatever their parameters: planning a claim anew takes longer than
 * running it. And none runs long enough for compiling it to pay.
 */
const SESSION = '-c plan_cache_mode=force_generic_plan -c jit=off -c random_page_cost=1.1';
const WAIT_MS = { first: 25, max: 500 } as const;

export function openPostgres(options: PostgresOptions): OpenPostgres {
  const { url, log, connections = DEFAULTS.connections, patienceMs = DEFAULTS.patienceMs } = options;
  const config: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'sonde',
    options: SESSION,
  };
  const pool = new pg.Pool({
    ...config,
    max: connections,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
  });
  // A connection that breaks while it is idle is replaced by the next statement that needs one.
  pool.on('error', (error) => log.debug('an idle connection to the database broke', { err: error }));
  const patiently = <T>(work: () => Promise<T>) => withPatience(work, patienceMs);
  return {
    query: (statement, params) => patiently(() => send(pool, statement, params)),
    transaction: (work) => patiently(() => inTransaction(pool, work)),
    listen: (channel, listener) => listenOn({ config, channel, listener, log }),
    close: () => pool.end(),
  };
}

async function send(
  queries: Pick<pg.Pool, 'query'>,
  { name, text }: PgStatement,
  params: readonly PgValue[],
): Promise<readonly PgRow[]> {
  const result =
    name === ''
      ? await queries.query(text)
      : await queries.query({ name, text, values: params as unknown[] });
  return Array.isArray(result) ? [] : result.rows;
}

async function inTransaction<T>(pool: pg.Pool, work: (queries: PgQueries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work({ query: (statement, params) => send(client, statement, params) });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failed: Error) => {
      broken ??= failed;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function withPatience<T>(work: () => Promise<T>, patienceMs: number): Promise<T> {
  const until = Date.now() + patienceMs;
  for (let waitMs: number = WAIT_MS.first; ; waitMs = Math.min(waitMs * 2, WAIT_MS.max)) {
    try {
      return await work();
    } catch (thrown) {
      const jittered = waitMs * (0.5 + Math.random());
      if (!mayBeSentAgain(thrown) || Date.now() + jittered > until) throw toDatabaseError(thrown);
      await new Promise((resolve) => setTimeout(resolve, jittered));
    }
  }
}
