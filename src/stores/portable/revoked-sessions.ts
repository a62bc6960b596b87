/** Sessions that were revoked before they expired, for every SQL engine. */
import { query, type SqlWork, statement } from './sql-work.js';

/** How long a session is kept after it expires, in case the clock is ahead or steps back. */
const MARGIN_MS = 7 * 86_400_000;

export class RevokedSessionRows {
  readonly #clock: () => number;
  readonly #mayDestroy: () => boolean;

  constructor(clock: () => number, mayDestroy: () => boolean = () => true) {
    this.#clock = clock;
    this.#mayDestroy = mayDestroy;
  }

  /** Also deletes sessions that expired long ago, unless the clock may be wrong. */
  *add(sessionId: string, expiresAt: number): SqlWork<void> {
    if (this.#mayDestroy()) yield* query(DELETE_EXPIRED_SESSIONS, [this.#clock() - MARGIN_MS]);
    yield* query(ADD_REVOKED_SESSION, [sessionId, expiresAt]);
  }

  *has(sessionId: string): SqlWork<boolean> {
    return (yield* query(SELECT_REVOKED_SESSION, [sessionId])).length > 0;
  }
}

export const DELETE_EXPIRED_SESSIONS = statement('delete_expired_sessions')`
  DELETE FROM revoked_sessions WHERE expires_at <= ?`;

export const ADD_REVOKED_SESSION = statement('add_revoked_session')`
  INSERT INTO revoked_sessions (session_id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING`;

export const SELECT_REVOKED_SESSION = statement('select_revoked_session')`
  SELECT session_id FROM revoked_sessions WHERE session_id = ?`;
