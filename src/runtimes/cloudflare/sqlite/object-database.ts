/**
 * Adapts the SQLite of a Durable Object to the port of `stores/sqlite`. Refuses rows that the platform would refuse. A
 * local engine accepts them, so the fault would appear only in production.
 */
import { SondeError } from '../../../errors.js';
import type { SqlDatabase, SqlRow, SqlValue } from '../../../stores/sqlite/sql-database.js';

/** The platform's limit is 2 MB for a value and for a row; this leaves room for the other columns of a row. */
export const ROW_BYTES_MAX = 1024 ** 2;

export function openObjectDatabase(storage: DurableObjectStorage): SqlDatabase {
  const exec = (sql: string, params: readonly SqlValue[]) => {
    refuseLong(params);
    return storage.sql.exec(sql, ...params);
  };
  return {
    all: (sql, params) => exec(sql, params).toArray().map(withBytes),
    run(sql, params) {
      exec(sql, params);
    },
    transaction: (work) => storage.transactionSync(work),
  };
}

function refuseLong(params: readonly SqlValue[]): void {
  let bytes = 0;
  for (const value of params) {
    // A text of n characters has at most 3n bytes; counting them exactly would copy it.
    if (typeof value === 'string')
      bytes += value.length > ROW_BYTES_MAX / 3 ? utf8Bytes(value) : value.length;
    else bytes += value instanceof Uint8Array ? value.length : 8;
  }
  if (bytes <= ROW_BYTES_MAX) return;
  throw new SondeError('STORAGE_ERROR', `a row can hold at most ${ROW_BYTES_MAX} bytes`, {
    details: { max: ROW_BYTES_MAX },
  });
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function withBytes(row: Record<string, SqlStorageValue>): SqlRow {
  const whole: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(row)) {
    whole[name] = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  }
  return whole;
}
