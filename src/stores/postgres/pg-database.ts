/**
 * The small port over which everything in `stores/postgres` is written; the driver behind it lives in a runtime.
 * Statements have names, so that a connection prepares each once; they list their columns, so that a column that is
 * added later does not change what they return. A statement whose connection was lost is sent again within bounds,
 * so every statement here is safe to repeat or says `once`. What cannot be had in time is refused with
 * `STORAGE_UNAVAILABLE`. What a unique index refuses is `STORAGE_CONFLICT`.
 */
type PgScalar = string | number | boolean | null;
export type PgValue = PgScalar | Uint8Array | readonly PgScalar[];
export type PgRow = Readonly<Record<string, unknown>>;

export interface PgStatement {
  /** Unique among statements. */
  readonly name: string;
  readonly text: string;
  /** Not sent again once it was sent: a second run would do more, not the same. The caller finds out what it did. */
  readonly once?: true;
}

export interface TransactionOptions {
  /** How long each statement and each lock may take, instead of the few seconds of a request; 0 is without limit. */
  readonly statementMs: number;
}

export interface PgQueries {
  query(statement: PgStatement, params: readonly PgValue[]): Promise<readonly PgRow[]>;
}

export interface PgDatabase extends PgQueries {
  /**
   * READ COMMITTED. Run again as a whole if the database asks for it or the connection is lost. Once COMMIT was sent,
   * it is unknown whether it was applied: then `mayHaveCommitted` is true, and `work` must recognize its own success.
   */
  transaction<T>(
    work: (queries: PgQueries, mayHaveCommitted: boolean) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** `onGap`: notifications may have been lost. Resolves once it listens. */
  listen(
    channel: string,
    listener: { onPayload(payload: string): void; onGap(): void },
  ): Promise<() => Promise<void>>;
  /** Refuses a database whose sessions are not our own, as behind a pooler. */
  checkSession(): Promise<void>;
}

/** Statements that tidy up may take longer than a request waits. */
export const MAINTENANCE: TransactionOptions = { statementMs: 30_000 };
