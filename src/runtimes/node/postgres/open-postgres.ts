/**
 * Opens PostgreSQL for the port of `stores/postgres`. A statement whose connection was lost is sent again on another
 * one, with growing delays, until its time is up. Every wait for a connection, a response or a lock has a limit, on
 * both sides. A client that is frozen or disconnected inside a transaction loses it, so that its rows are released.
 */
import type pg from 'pg';
import { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { LogLimit } from '../../../log-limit.js';
import type {
  DatabaseTime,
  PgDatabase,
  PgQueries,
  PgStatement,
  PgValue,
  TransactionOptions,
} from '../../../stores/postgres/pg-database.js';
import type { DatabaseFigures } from '../server/database-metrics.js';
import { DatabaseClock } from './database-clock.js';
import { listenOn } from './listen.js';
import { SILENCE_MS } from './pg-client.js';
import {
  describeFault,
  isConnectionLost,
  mayBeSentAgain,
  NoResponse,
  POOLER,
  toDatabaseError,
} from './pg-faults.js';
import { openPool, type PgPool, type TimedClient } from './pg-pool.js';

export interface PostgresOptions {
  readonly url: string;
  readonly log: Log;
  readonly connections?: number;
  /** The total time for which a statement is retried before it fails. */
  readonly patienceMs?: number;
}

export interface OpenPostgres extends PgDatabase, DatabaseFigures {
  readonly time: DatabaseClock;
  close(): Promise<void>;
}

const DEFAULTS = { connections: 10, patienceMs: 5_000 } as const;
const WAIT_MS = { first: 25, max: 500 } as const;

/**
 * Each of our statements has one good plan, whatever its parameters, and planning a claim takes longer than running it.
 * None runs long enough for JIT compilation to pay off.
 */
const PLANNING = { plan_cache_mode: 'force_generic_plan', jit: 'off', random_page_cost: '1.1' };

/** Timeouts that release the rows of a frozen or disconnected client, before other clients stop waiting for them. */
const RELEASING = {
  statement_timeout: String(SILENCE_MS),
  lock_timeout: '4000',
  idle_in_transaction_session_timeout: '10000',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/** Set explicitly, because a role or a database may have another default. */
const ISOLATION = { default_transaction_isolation: 'read\\ committed' };

const SESSION = Object.entries({ ...PLANNING, ...RELEASING, ...ISOLATION })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export function openPostgres(options: PostgresOptions): OpenPostgres {
  const { url, log, connections = DEFAULTS.connections, patienceMs = DEFAULTS.patienceMs } = options;
  const config: pg.ClientConfig = {
    connectionString: url,
    keepAlive: true,
    application_name: 'sonde',
    options: SESSION,
  };
  const pool = openPool(config, connections);
  let onCall: Parameters<DatabaseFigures['observe']>[0] = () => {};
  const retries: Retries = {
    patienceMs,
    noteFault: createFaultLog(log),
    noteCall: (ms, outcome) => onCall(ms, outcome),
  };
  const time = new DatabaseClock(log);
  const query: PgQueries['query'] = async (statement, params) => {
    if (statement.timed) await time.ready({ query: send });
    return send(statement, params);
  };
  const send: PgQueries['query'] = (statement, params) =>
    withRetries(retries, (run) =>
      pool.use(run.since, (client) => {
        run.sentOnce = statement.once === true;
        return client.query(statement, withTime(statement, params, time));
      }),
    );
  return {
    time,
    query,
    transaction: async (work, limits) => {
      await time.ready({ query: send });
      return withRetries(retries, (run) =>
        pool.use(run.since, (client) => inTransaction(client, run, { work, limits, time })),
      );
    },
    listen: (channel, listener) => listenOn({ config, channel, listener, log }),
    checkSession: () => checkSession(pool, retries),
    connections: () => pool.connections(),
    observe(act) {
      onCall = act;
    },
    close: () => {
      time.stop();
      return pool.close();
    },
  };
}

/** The state that the attempts of one call share. */
interface Run {
  /** When the call began. */
  readonly since: number;
  /** Whether COMMIT was sent and its outcome is unknown. */
  mayHaveCommitted: boolean;
  /** Whether a statement was sent that must not be sent twice. */
  sentOnce: boolean;
}

interface Retries {
  readonly patienceMs: number;
  noteCall(ms: number, outcome: 'ok' | 'failed'): void;
  /** Called when the retries are over, with the driver's error. */
  noteFault(error: SondeError, thrown: unknown): void;
}

/** A fault of the database would otherwise write a line for each request. */
const LOG_EVERY_MS = 1_000;
const LOGGED: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_FULL', 'INTERNAL']);

function createFaultLog(log: Log): Retries['noteFault'] {
  const limit = new LogLimit({ everyMs: LOG_EVERY_MS });
  return (error, thrown) => {
    if (!LOGGED.has(error.code)) return;
    const { sqlstate, text } = describeFault(thrown);
    const repeated = limit.pass(`${error.code} ${sqlstate ?? error.message}`);
    if (!repeated) return;
    const details = { code: error.code, ...error.details, ...(sqlstate !== undefined && { sqlstate }) };
    log.warn('the database failed', { ...details, error: text, ...repeated });
  };
}

async function withRetries<T>(
  { patienceMs, noteFault, noteCall }: Retries,
  attempt: (run: Run) => Promise<T>,
): Promise<T> {
  const run: Run = { since: performance.now(), mayHaveCommitted: false, sentOnce: false };
  const until = run.since + patienceMs;
  for (let waitMs: number = WAIT_MS.first; ; waitMs = Math.min(waitMs * 2, WAIT_MS.max)) {
    try {
      const result = await attempt(run);
      noteCall(performance.now() - run.since, 'ok');
      return result;
    } catch (thrown) {
      const jittered = waitMs * (0.5 + Math.random());
      const isOver = run.sentOnce || performance.now() + jittered > until;
      if (isOver || !mayBeSentAgain(thrown)) {
        const error = toDatabaseError(thrown);
        noteFault(error, thrown);
        noteCall(performance.now() - run.since, 'failed');
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, jittered));
    }
  }
}

interface TransactionCall<T> {
  readonly work: (queries: PgQueries, mayHaveCommitted: boolean) => Promise<T>;
  readonly limits: TransactionOptions | undefined;
  readonly time: DatabaseTime;
}

function withTime(
  { timed }: PgStatement,
  params: readonly PgValue[],
  time: DatabaseTime,
): readonly PgValue[] {
  return timed ? [...params, time.now()] : params;
}

async function inTransaction<T>(
  client: TimedClient,
  run: Run,
  { work, limits, time }: TransactionCall<T>,
): Promise<T> {
  const limitMs = limits?.statementMs ?? SILENCE_MS;
  const plain = (text: string) => client.send({ name: '', text }, [], SILENCE_MS);
  let isCommitting = false;
  try {
    await plain('BEGIN');
    if (limits) {
      await plain(`SET LOCAL statement_timeout = ${limitMs}; SET LOCAL lock_timeout = ${limitMs}`);
    }
    const query = (statement: PgStatement, params: Parameters<PgQueries['query']>[1]) =>
      client.send(statement, withTime(statement, params, time), limitMs);
    const result = await work({ query }, run.mayHaveCommitted);
    isCommitting = true;
    await client.send({ name: '', text: 'COMMIT' }, [], limitMs);
    return result;
  } catch (thrown) {
    if (isConnectionLost(thrown) || thrown instanceof NoResponse) run.mayHaveCommitted ||= isCommitting;
    // After a lost connection or a timeout the connection is closed, which rolls back without waiting.
    else await plain('ROLLBACK');
    throw thrown;
  }
}

/** A pooler may silently drop the session's settings; it would also drop notifications. */
async function checkSession(pool: PgPool, retries: Retries): Promise<void> {
  const text = `SELECT current_setting('plan_cache_mode') AS plans`;
  const [row] = await withRetries(retries, ({ since }) =>
    pool.use(since, (client) => client.query({ name: '', text }, [])),
  );
  if (row?.['plans'] !== PLANNING.plan_cache_mode) throw new SondeError('CONFIG_INVALID_VALUE', POOLER);
}
