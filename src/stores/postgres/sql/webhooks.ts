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

/** Locks the due deliveries of each webhook that may be claimed: at most as many as its tenant has room for. */
const due = (when: string) => `SELECT d.delivery_id, d.due_at, h.tenant_id, h.held
  FROM hooks h CROSS JOIN LATERAL (
    SELECT delivery_id, due_at FROM webhook_deliveries
    WHERE webhook_id = h.webhook_id AND state = 'due' AND ${when}
    ORDER BY due_at LIMIT h.room FOR UPDATE SKIP LOCKED
  ) d`;

/**
 * `$1` key id, `$2` limit, `$3` ms to hold, `$4` how many are held by tenant, as JSON, `$5` how many of one tenant may
 * be held, `$6` guests. Webhooks with deliveries are found by stepping through the index, so that the backlog of a
 * tenant that has its share is not read.
 */
export const CLAIM_DELIVERIES = pgStatement('claim_deliveries')`
WITH RECURSIVE waiting (webhook_id) AS (
  (SELECT webhook_id FROM webhook_deliveries
    WHERE state = 'due' AND webhook_id > '00000000-0000-0000-0000-000000000000' ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT next.webhook_id FROM waiting CROSS JOIN LATERAL (
    SELECT webhook_id FROM webhook_deliveries WHERE state = 'due' AND webhook_id > waiting.webhook_id
    ORDER BY webhook_id LIMIT 1
  ) next
),
hooks AS MATERIALIZED (
  SELECT waiting.webhook_id, w.tenant_id, here.held,
    greatest(least(greatest($2::int, 1), $5::int - here.held), ($6::int > 0 AND here.held = 0)::int) AS room
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT tenant_id FROM webhooks WHERE webhook_id = waiting.webhook_id AND key_id = $1 LIMIT 1
  ) w
  CROSS JOIN LATERAL (SELECT coalesce(($4::jsonb ->> w.tenant_id::text)::int, 0) AS held) here
),
late AS MATERIALIZED (${due('due_at <= steady_now()')}),
-- Scheduled by a clock that was ahead.
ahead AS MATERIALIZED (
  ${due(`attempt > 0 AND due_at > steady_now() + ${DELIVERY_LIMITS.aheadMaxMs} * interval '1 millisecond'`)}
),
-- Inserted while the database's clock was ahead: the first attempt is due at once.
fresh AS MATERIALIZED (${due('attempt = 0 AND due_at > steady_now()')}),
owned AS (
  SELECT delivery_id, due_at, tenant_id, held, nr,
    row_number() OVER (PARTITION BY tenant_id ORDER BY nr, due_at, delivery_id) AS own
  FROM (
    SELECT *, 1 AS nr FROM late UNION ALL SELECT *, 2 FROM fresh UNION ALL SELECT *, 3 FROM ahead
  ) every_kind
),
placed AS (
  SELECT delivery_id, held = 0 AND own = 1 AS guest,
    row_number() OVER (ORDER BY held + own, nr, due_at, delivery_id) AS place
  FROM owned WHERE own <= greatest($5::int - held, (held = 0)::int)
),
numbered AS (
  SELECT delivery_id, guest, place, row_number() OVER (PARTITION BY place > $2::int, guest ORDER BY place) AS nth
  FROM placed
),
chosen AS (
  SELECT delivery_id FROM numbered WHERE place <= $2::int OR (guest AND nth <= $6::int)
)
UPDATE webhook_deliveries d
SET attempt = d.attempt + 1, due_at = steady_now() + $3::float8 * interval '1 millisecond'
FROM webhooks w
WHERE d.delivery_id = ANY (ARRAY(SELECT delivery_id FROM chosen)) AND w.webhook_id = d.webhook_id
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
