/** SQL for revoked sessions: one row each, until the session would have expired anyway. */
import { pgStatement } from '../pg-database.js';

/** `$1` session, `$2` when it expires, `$3` now. Also deletes expired rows. */
export const ADD_REVOKED_SESSION = pgStatement('add_revoked_session')`
WITH past AS (DELETE FROM revoked_sessions WHERE expires_at <= $3::bigint AND session_id <> $1::text)
INSERT INTO revoked_sessions (session_id, expires_at) VALUES ($1::text, $2::bigint) ON CONFLICT DO NOTHING`;

/** `$1` session. */
export const SELECT_REVOKED_SESSION = pgStatement('select_revoked_session')`
  SELECT FROM revoked_sessions WHERE session_id = $1`;
