/**
 * The small synchronous interface over which everything in `stores/sqlite` is written. A Durable Object's
 * storage satisfies it, and so do both drivers on Node; adapters alone normalise blobs to `Uint8Array`.
 */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlDatabase {
  all(sql: string, params: readonly SqlValue[]): readonly SqlRow[];
  run(sql: string, params: readonly SqlValue[]): void;
  /** May be nested; a throw undoes what `work` wrote. */
  transaction<T>(work: () => T): T;
}
