/**
 * Creates tables that most objects never write to with their first row, because a table costs two billed rows, and the
 * object of a proxied response lives only for one response. Until then, reading such a table returns no rows, and
 * updates and deletions have no effect.
 */
import type { Schema } from '../../../stores/sqlite/prepare-schema.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

const TABLE_OF =
  /^\s*CREATE TABLE IF NOT EXISTS (\w+)|^\s*CREATE(?: UNIQUE)? INDEX IF NOT EXISTS \w+\s+ON (\w+)/;
const MISSING = /no such table: (\w+)/;
const INSERTS = /^\s*INSERT\b/;

export interface SplitSchema {
  /** Created with the first write. */
  readonly schema: Schema;
  /** The statements that create each table left out of `schema`. */
  readonly later: ReadonlyMap<string, readonly string[]>;
}

export function splitSchema(schema: Schema, names: readonly string[]): SplitSchema {
  const nameOf = (statement: string) => {
    const [, table, indexed] = TABLE_OF.exec(statement) ?? [];
    return table ?? indexed ?? '';
  };
  const later = new Map(
    names.map((name) => [name, schema.tables.filter((statement) => nameOf(statement) === name)]),
  );
  const tables = schema.tables.filter((statement) => !later.has(nameOf(statement)));
  return { schema: { ...schema, tables }, later };
}

export function withTablesOnDemand(database: SqlDatabase, later: SplitSchema['later']): SqlDatabase {
  const retry = <T>(sql: string, absent: T, act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const statements = later.get(MISSING.exec(String(error))?.[1] ?? '');
      if (!statements) throw error;
      if (!INSERTS.test(sql)) return absent;
      for (const statement of statements) database.run(statement, []);
      return act();
    }
  };
  return {
    all: (sql, params) => retry(sql, [], () => database.all(sql, params)),
    run: (sql, params) => retry(sql, undefined, () => database.run(sql, params)),
    transaction: (work) => database.transaction(work),
  };
}
