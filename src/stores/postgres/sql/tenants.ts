/** SQL for tenants. */
import { pgStatement } from '../pg-database.js';

const COLUMNS = 'id, slug, name, quotas_json, created_at';

/** `$1` id, `$2` slug, `$3` name, `$4` quotas. Repeating it with the same id returns the same tenant. */
export const INSERT_TENANT = pgStatement('insert_tenant')`
WITH made AS (
  INSERT INTO tenants (id, slug, name, quotas_json) VALUES ($1, $2, $3, $4::jsonb)
  ON CONFLICT DO NOTHING RETURNING ${COLUMNS}
)
SELECT ${COLUMNS} FROM made UNION ALL SELECT ${COLUMNS} FROM tenants WHERE id = $1 AND slug = $2`;

export const SELECT_TENANT = pgStatement('select_tenant')`SELECT ${COLUMNS} FROM tenants WHERE slug = $1`;

/** `$1` slug to continue after, `$2` limit. */
export const SELECT_TENANTS = pgStatement('select_tenants')`
  SELECT ${COLUMNS} FROM tenants WHERE slug > $1 COLLATE "C" ORDER BY slug COLLATE "C" LIMIT $2::int`;

/** `$1` slug, `$2` quotas to merge; a null value removes a quota. */
export const UPDATE_QUOTAS = pgStatement('update_quotas')`
  UPDATE tenants SET quotas_json = jsonb_strip_nulls(quotas_json || $2::jsonb) WHERE slug = $1
    RETURNING ${COLUMNS}`;
