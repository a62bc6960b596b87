/** Runs the work of a portable store on SQLite and notes its statements, also those that only PostgreSQL needs. */
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { runPort, type SqlWork } from '../../src/stores/portable/sql-work.js';
import { COMPARISON_SCHEMA } from '../../src/stores/sqlite/comparison-schema.js';
import { prepareSchema } from '../../src/stores/sqlite/prepare-schema.js';
import type { SqlDatabase } from '../../src/stores/sqlite/sql-database.js';
import { SUITE_SCHEMA } from '../../src/stores/sqlite/suite-schema.js';

export function openWatchedWork() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  for (const schema of [COMPARISON_SCHEMA, SUITE_SCHEMA]) prepareSchema(database, schema);
  const names: string[] = [];
  return {
    database,
    /** The statements of the last call. */
    names,
    port: (rows: object): unknown =>
      runPort(rows, (work) => {
        names.length = 0;
        return run(database, names, work);
      }),
  };
}

function run(database: SqlDatabase, names: string[], work: SqlWork<unknown>): unknown {
  for (let given: unknown; ; ) {
    const { done, value } = work.next(given);
    if (done) return value;
    if ('work' in value) {
      given = database.transaction(() => run(database, names, value.work(false)));
      continue;
    }
    const { name, sqlite } = value.statement;
    names.push(name);
    given = sqlite === undefined ? [] : database.all(sqlite, value.params);
  }
}
