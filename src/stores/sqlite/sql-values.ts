/** Columns that may be null, as the types that rows are read into. */
import type { SqlValue } from './sql-database.js';

export function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

export function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
