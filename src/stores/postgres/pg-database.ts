/**
 * The port that everything in `stores/postgres` uses; a runtime provides the driver. Statements have names, so that a
 * connection prepares each once. They list their columns, so that a column that is added later does not change their
 * results. A statement whose connection was lost is sent again a limited number of times, so every statement is safe
 * to repeat or is marked `once`. A timeout is `STORAGE_UNAVAILABLE`; a violated unique index is `STORAGE_CONFLICT`.
 */
import { tagged } from '../portable/sql-work.js';

type PgScalar = string | number | boolean | null;
export type PgValue = PgScalar | Uint8Array | readonly PgScalar[];
export type PgRow = Readonly<Record<string, unknown>>;

export interface PgStatement {
  /** Unique among statements. */
  readonly name: string;
  readonly text: string;
  /** Never sent twice, because a second run would have another effect. The caller determines what the first one did. */
  readonly once?: true;
  /** Its last parameter is the time by which deadlines are judged; the database adds it (`DatabaseTime.now`). */
  readonly timed?: true;
}

/**
 * `steady_now()` in a statement is the time of leases, delays and keys: the database's clock unless it has stepped, which
 * the statement itself finds out. `now()` follows steps; it is for dates that are shown.
 */
export const pgStatement = tagged((name, text): PgStatement => {
  if (!text.includes(STEADY_NOW)) return { name, text };
  const last = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
  return { name, text: text.replaceAll(STEADY_NOW, `(${steadyNow(`$${last + 1}::float8`)})`), timed: true };
});

const STEADY_NOW = 'steady_now()';

const steadyNow = (ms: string) => `CASE WHEN abs(extract(epoch FROM now())::float8 * 1000 - ${ms}) < 1000
  THEN now() ELSE to_timestamp(${ms} / 1000) END`;

/** What time it is although the database's clock may step. Milliseconds since the epoch. */
export interface DatabaseTime {
  now(): number;
  /** The database's clock. */
  wall(): number;
  /** Whether anything may be destroyed because of a date. */
  isTrusted(): boolean;
  /** Inside a transaction: the time that `now()` returns there, or undefined if nothing may be destroyed by it. */
  mayDestroy(queries: PgQueries): Promise<number | undefined>;
}

export interface TransactionOptions {
  /** The timeout of each statement and each lock, instead of the few seconds of a request; 0 is no limit. */
  readonly statementMs: number;
}

export interface PgQueries {
  query(statement: PgStatement, params: readonly PgValue[]): Promise<readonly PgRow[]>;
}

export interface PgDatabase extends PgQueries {
  readonly time: DatabaseTime;
  /**
   * Runs `work` in a READ COMMITTED transaction, and runs all of it again if the database requires that or the
   * connection is lost. If it was lost after COMMIT was sent, `mayHaveCommitted` is true, and `work` must recognise its
   * own success.
   */
  transaction<T>(
    work: (queries: PgQueries, mayHaveCommitted: boolean) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Resolves once it listens. `onGap` is called when notifications may have been lost. */
  listen(
    channel: string,
    listener: { onPayload(payload: string): void; onGap(): void },
  ): Promise<() => Promise<void>>;
  /** Refuses a database whose sessions are shared, as behind a pooler. */
  checkSession(): Promise<void>;
}

/** For cleanup, which may take longer than a request. */
export const MAINTENANCE: TransactionOptions = { statementMs: 30_000 };
