/** The baselines of pairs. */
import type { PgStatement } from '../pg-database.js';

export const UPSERT_ACCEPTED: PgStatement = {
  name: 'upsert_accepted',
  text: `INSERT INTO pair_baselines (tenant_id, pair_key, fingerprint, comparison_id, accepted_at, entry_json)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (tenant_id, pair_key, fingerprint) DO UPDATE SET
      comparison_id = excluded.comparison_id, accepted_at = excluded.accepted_at, entry_json = excluded.entry_json`,
};

export const SELECT_ACCEPTED: PgStatement = {
  name: 'select_accepted',
  text: `SELECT comparison_id, accepted_at, entry_json FROM pair_baselines WHERE tenant_id = $1 AND pair_key = $2
    ORDER BY accepted_at, fingerprint COLLATE "C"`,
};

export const DELETE_ALL_ACCEPTED: PgStatement = {
  name: 'delete_all_accepted',
  text: 'DELETE FROM pair_baselines WHERE tenant_id = $1 AND pair_key = $2 RETURNING fingerprint',
};

export const DELETE_ACCEPTED: PgStatement = {
  name: 'delete_accepted',
  text: `DELETE FROM pair_baselines WHERE tenant_id = $1 AND pair_key = $2 AND fingerprint = $3
    RETURNING fingerprint`,
};
