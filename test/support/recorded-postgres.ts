/** Records the statements that are sent to a real database, and lets a test act between two of them. */
import type { PgDatabase, PgQueries } from '../../src/stores/postgres/pg-database.js';

export function recordedPostgres(database: PgDatabase) {
  const names: string[] = [];
  const actions = new Map<string, () => Promise<unknown>>();
  const recorded = (queries: PgQueries): PgQueries => ({
    async query(statement, params) {
      names.push(statement.name);
      const action = actions.get(statement.name);
      actions.delete(statement.name);
      await action?.();
      return queries.query(statement, params);
    },
  });
  return {
    database: {
      ...database,
      ...recorded(database),
      transaction: (work, options) =>
        database.transaction(
          (queries, mayHaveCommitted) => work(recorded(queries), mayHaveCommitted),
          options,
        ),
    } satisfies PgDatabase,
    /** Returns the names of the statements sent since the last call. */
    takeNames: () => names.splice(0),
    /** Runs `action` once, before the statement with this name is next sent. */
    before: (name: string, action: () => Promise<unknown>) => void actions.set(name, action),
  };
}
