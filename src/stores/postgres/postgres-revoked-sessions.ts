/** Sessions that were revoked before they expired, on PostgreSQL. A session revoked on one server is revoked on all. */
import { REVOKED_MARGIN_MS } from '../revoked-margin.js';
import type { PgDatabase } from './pg-database.js';
import { ADD_REVOKED_SESSION, SELECT_REVOKED_SESSION } from './sql/revoked-sessions.js';

export class PostgresRevokedSessions {
  readonly #database: PgDatabase;
  readonly #clock: () => number;

  constructor(database: PgDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  async add(sessionId: string, expiresAt: number): Promise<void> {
    await this.#database.query(ADD_REVOKED_SESSION, [
      sessionId,
      expiresAt,
      this.#clock() - REVOKED_MARGIN_MS,
    ]);
  }

  async has(sessionId: string): Promise<boolean> {
    return (await this.#database.query(SELECT_REVOKED_SESSION, [sessionId])).length > 0;
  }
}
