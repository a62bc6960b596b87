/** Sessions that were revoked before they expired, on SQLite. Adding one deletes those that expired long ago. */
import { REVOKED_MARGIN_MS } from '../revoked-margin.js';
import type { SqlDatabase } from './sql-database.js';

export class SqliteRevokedSessions {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;

  constructor(database: SqlDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  add(sessionId: string, expiresAt: number): void {
    this.#database.run('DELETE FROM revoked_sessions WHERE expires_at <= ?', [
      this.#clock() - REVOKED_MARGIN_MS,
    ]);
    this.#database.run('INSERT OR IGNORE INTO revoked_sessions (session_id, expires_at) VALUES (?, ?)', [
      sessionId,
      expiresAt,
    ]);
  }

  has(sessionId: string): boolean {
    const found = this.#database.all('SELECT 1 FROM revoked_sessions WHERE session_id = ?', [sessionId]);
    return found.length > 0;
  }
}
