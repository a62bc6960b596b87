-- Sessions that were ended by logging out, for as long as their tokens would have been taken. The time is in
-- milliseconds since the epoch, as in the token.

CREATE TABLE revoked_sessions (
  session_id TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
