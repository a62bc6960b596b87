/**
 * The small port over which everything in `stores/postgres` is written; the driver behind it lives in a runtime.
 * Statements have names, so that a connection prepares each once. A statement whose connection was lost is sent
 * again within bounds, so every statement here is safe to repeat; what cannot be had in time is refused with
 * `STORAGE_UNAVAILABLE`. What a unique index refuses is `STORAGE_CONFLICT`.
 */
type PgScalar = string | number | boolean | null;
export type PgValue = PgScalar | Uint8Array | readonly PgScalar[];
export type PgRow = Readonly<Record<string, unknown>>;

export interface PgStatement {
  /** Unique among statements. */
  readonly name: string;
  readonly text: string;
}

export interface PgQueries {
  query(statement: PgStatement, params: readonly PgValue[]): Promise<readonly PgRow[]>;
}

export interface PgDatabase extends PgQueries {
  /** May be run again as a whole, if the database asked for it or was lost before the commit was begun. */
  transaction<T>(work: (queries: PgQueries) => Promise<T>): Promise<T>;
  /** `onGap`: notifications may have been lost. Resolves once it listens. */
  listen(
    channel: string,
    listener: { onPayload(payload: string): void; onGap(): void },
  ): Promise<() => Promise<void>>;
}

/** Columns as the driver gives them. */
export const asMs = (value: unknown): number => (value as Date).getTime();
export const asMsOrNull = (value: unknown): number | null => (value === null ? null : asMs(value));
export const asTextOrNull = (value: unknown): string | null => (value === null ? null : String(value));
export const asNumberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));
