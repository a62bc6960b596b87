/**
 * The synchronous port that everything in `stores/sqlite` uses. There are adapters for the storage of a Durable Object
 * and for both drivers on Node; they normalise blobs to `Uint8Array`.
 */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlDatabase {
  all(sql: string, params: readonly SqlValue[]): readonly SqlRow[];
  run(sql: string, params: readonly SqlValue[]): void;
  /** May be nested. If `work` throws, its writes are rolled back. */
  transaction<T>(work: () => T): T;
}
