/** SQL for webhooks and their deliveries. A trigger on the table of jobs inserts the deliveries. */
import { DELIVERY_LIMITS } from '../../../jobs/index.js';
import { pgStatement } from '../pg-database.js';

const COLUMNS = 'webhook_id, tenant_id, url, events_json, key_id, created_at, last_status, last_at';

/** `$1` id, `$2` tenant, `$3` url, `$4` events, `$5` key id, `$6` maximum number of webhooks. */
export const INSERT_WEBHOOK = pgStatement('insert_webhook')`
INSERT INTO webhooks (webhook_id, tenant_id, url, events_json, key_id)
SELECT $1::uuid, $2::uuid, $3, $4::jsonb, $5
WHERE $6::int > (SELECT count(*) FROM webhooks WHERE tenant_id = $2::uuid)
ON CONFLICT DO NOTHING RETURNING webhook_id`;

/** `$1` tenant, `$2` webhook. */
export const SELECT_WEBHOOK = pgStatement('select_webhook')`
  SELECT ${COLUMNS} FROM webhooks WHERE tenant_id = $1 AND webhook_id = $2`;

export const SELECT_WEBHOOKS = pgStatement('select_webhooks')`
  SELECT ${COLUMNS} FROM webhooks WHERE tenant_id = $1 ORDER BY created_at, webhook_id`;

export const DELETE_WEBHOOK = pgStatement('delete_webhook')`
  DELETE FROM webhooks WHERE tenant_id = $1 AND webhook_id = $2 RETURNING webhook_id`;

const due = (when: string) => `SELECT d.delivery_id
  FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
  WHERE d.state = 'due' AND w.key_id = $1 AND ${when}
  ORDER BY d.due_at LIMIT $2::int FOR UPDATE OF d SKIP LOCKED`;

/** `$1` key id, `$2` limit, `$3` ms to hold. */
export const CLAIM_DELIVERIES = pgStatement('claim_deliveries')`
WITH late AS MATERIALIZED (${due('d.due_at <= steady_now()')}),
-- Scheduled by a clock that was ahead.
ahead AS MATERIALIZED (
  ${due(`d.attempt > 0 AND d.due_at > steady_now() + ${DELIVERY_LIMITS.aheadMaxMs} * interval '1 millisecond'`)}
),
-- Inserted while the database's clock was ahead: the first attempt is due at once.
fresh AS MATERIALIZED (${due('d.attempt = 0 AND d.due_at > steady_now()')}),
due AS (
  SELECT delivery_id FROM late UNION ALL SELECT delivery_id FROM fresh UNION ALL SELECT delivery_id FROM ahead
  LIMIT $2::int
)
UPDATE webhook_deliveries d
SET attempt = d.attempt + 1, due_at = steady_now() + $3::float8 * interval '1 millisecond'
FROM webhooks w
WHERE d.delivery_id = ANY (ARRAY(SELECT delivery_id FROM due)) AND w.webhook_id = d.webhook_id
RETURNING d.delivery_id, d.webhook_id, d.event_type, d.data_json, d.created_at, d.attempt, w.url, w.tenant_id`;

/** `$1` delivery, `$2` attempt, `$3` state, `$4` delay in ms, `$5` the result of the attempt. */
export const SETTLE_DELIVERY = pgStatement('settle_delivery')`
WITH settled AS (
  UPDATE webhook_deliveries SET state = $3, due_at = steady_now() + $4::float8 * interval '1 millisecond'
  WHERE delivery_id = $1 AND attempt = $2::int AND state = 'due' RETURNING webhook_id
),
seen AS (
  UPDATE webhooks w SET last_status = $5, last_at = now() FROM settled s WHERE w.webhook_id = s.webhook_id
)
SELECT webhook_id FROM settled`;

/** `$1` older than this, in ms, `$2` limit. */
export const PRUNE_DELIVERIES = pgStatement('prune_deliveries')`
WITH old AS (
  SELECT delivery_id FROM webhook_deliveries
  WHERE state <> 'due' AND created_at < now() - $1::float8 * interval '1 millisecond'
  ORDER BY created_at LIMIT $2::int FOR UPDATE SKIP LOCKED
)
DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM old)) RETURNING delivery_id`;
