/** SQL for idempotency keys: one row per key, which the first request takes. */
import { pgStatement } from '../pg-database.js';

/**
 * `$1` tenant, `$2` key, `$3` fingerprint, `$4` owner, `$5` new id, `$6` ms in flight, `$7` ms to keep, `$8` maximum
 * number of keys, `$9` whether expired keys may be replaced. Returns a row if this owner now has the key: it was free or expired, or its last attempt is dead.
 */
export const BEGIN_KEY = pgStatement('begin_key')`
INSERT INTO idempotency_keys AS k (tenant_id, key, fingerprint, owner, new_id, locked_until, expires_at)
SELECT $1::uuid, $2::text, $3::text, $4::uuid, $5::uuid, steady_now() + $6::float8 * interval '1 millisecond',
  steady_now() + $7::float8 * interval '1 millisecond'
WHERE $8::int > (
    SELECT coalesce(sum(n), 0) FROM record_counts WHERE tenant_id = $1::uuid AND name = 'idempotency_keys'
  )
  OR EXISTS (SELECT FROM idempotency_keys WHERE tenant_id = $1::uuid AND key = $2::text)
ON CONFLICT (tenant_id, key) DO UPDATE
SET owner = excluded.owner, locked_until = excluded.locked_until,
  new_id = CASE WHEN ($9::boolean AND k.expires_at <= steady_now()) THEN excluded.new_id ELSE k.new_id END,
  fingerprint = CASE WHEN ($9::boolean AND k.expires_at <= steady_now()) THEN excluded.fingerprint ELSE k.fingerprint END,
  expires_at = CASE WHEN ($9::boolean AND k.expires_at <= steady_now()) THEN excluded.expires_at ELSE k.expires_at END,
  answer_status = NULL, answer_location = NULL, answer_body = NULL
WHERE ($9::boolean AND k.expires_at <= steady_now()) OR k.owner = excluded.owner
  OR (k.answer_status IS NULL AND k.locked_until <= steady_now() AND k.fingerprint = excluded.fingerprint)
RETURNING k.new_id`;

/** `$1` tenant, `$2` key, `$3` whether expired keys may be replaced. */
export const SELECT_KEY = pgStatement('select_key')`
  SELECT fingerprint, answer_status, answer_location, answer_body FROM idempotency_keys
    WHERE tenant_id = $1 AND key = $2 AND NOT ($3::boolean AND expires_at <= steady_now())`;

/** `$1` tenant, `$2` key, `$3` owner, `$4` status, `$5` location, `$6` body. */
export const FINISH_KEY = pgStatement('finish_key')`
UPDATE idempotency_keys SET answer_status = $4::int, answer_location = $5, answer_body = $6
WHERE tenant_id = $1 AND key = $2 AND owner = $3 AND answer_status IS NULL`;

/** `$1` tenant, `$2` key, `$3` owner. */
export const ABANDON_KEY = pgStatement('abandon_key')`
DELETE FROM idempotency_keys WHERE tenant_id = $1 AND key = $2 AND owner = $3 AND answer_status IS NULL`;

/** `$1` limit. */
export const PRUNE_KEYS = pgStatement('prune_keys')`
DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM idempotency_keys WHERE expires_at <= steady_now() ORDER BY expires_at LIMIT $1::int
  FOR UPDATE SKIP LOCKED
)) RETURNING key`;
