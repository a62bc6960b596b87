/**
 * Stores the state of the clock in each file whose rows end by a date, in the same transactions as those rows.
 */
import type { ClockState } from '../../clock-watch.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import type { SqlDatabase } from './sql-database.js';

export const CLOCK_SCHEMA: Schema = {
  name: 'clock',
  upgrades: [],
  tables: [
    `CREATE TABLE IF NOT EXISTS clock_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      state_json TEXT NOT NULL
    )`,
  ],
};

export class SqliteClockState {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
    prepareSchema(database, CLOCK_SCHEMA);
  }

  load(): ClockState | undefined {
    const [row] = this.#database.all('SELECT state_json FROM clock_state', []);
    return row && (JSON.parse(String(row['state_json'])) as ClockState);
  }

  save(state: ClockState): void {
    const sql = 'INSERT OR REPLACE INTO clock_state (id, state_json) VALUES (1, ?)';
    this.#database.run(sql, [JSON.stringify(state)]);
  }
}
