/** The ids of a tenant's streams. Each stream's object reports its creation and removal. */
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export class StreamIndex {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
    database.run('CREATE TABLE IF NOT EXISTS tenant_streams (stream_id TEXT PRIMARY KEY) WITHOUT ROWID', []);
  }

  note(id: string, exists: boolean): void {
    const sql = exists
      ? 'INSERT OR IGNORE INTO tenant_streams (stream_id) VALUES (?)'
      : 'DELETE FROM tenant_streams WHERE stream_id = ?';
    this.#database.run(sql, [id]);
  }

  /** In id order. */
  list(after: string, limit: number): readonly string[] {
    return this.#database
      .all('SELECT stream_id FROM tenant_streams WHERE stream_id > ? ORDER BY stream_id LIMIT ?', [
        after,
        limit,
      ])
      .map((row) => String(row['stream_id']));
  }
}
