/** The history of comparisons. A pair's rows are counted and dropped under a lock of the pair. */
import type { PgStatement } from '../pg-database.js';

const COLUMNS = `c.id, c.tenant_id, c.pair_key, c.ts, c.left_url, c.right_url, c.status, c.result_json, c.error,
  c.options_json, e.state, e.text_json, e.model, e.prompt_version`;
const FROM = 'FROM comparisons c LEFT JOIN explanations e ON e.comparison_id = c.id';

/** Held to the end of the transaction: two creates of one pair cannot both see the last free place. */
export const LOCK_PAIR: PgStatement = {
  name: 'lock_pair',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
};

/** Locked to the end of the write, so that a comparison ends once. */
export const LOCK_COMPARISON: PgStatement = {
  name: 'lock_comparison',
  text: 'SELECT status, pair_key FROM comparisons WHERE id = $1 AND tenant_id = $2 FOR UPDATE',
};

export const COUNT_RUNNING: PgStatement = {
  name: 'count_running_comparisons',
  text: `SELECT count(*) AS n FROM comparisons WHERE tenant_id = $1 AND pair_key = $2 AND status = 'running'`,
};

export const INSERT_COMPARISON: PgStatement = {
  name: 'insert_comparison',
  text: `INSERT INTO comparisons (
      id, tenant_id, pair_key, ts, left_url, right_url, options_json, lease_until, left_sealed, right_sealed
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

export const INSERT_EXPLANATION: PgStatement = {
  name: 'insert_explanation',
  text: 'INSERT INTO explanations (comparison_id, state) VALUES ($1, $2)',
};

export const UPSERT_PROBE: PgStatement = {
  name: 'upsert_probe',
  text: `INSERT INTO probes (id, comparison_id, ts, side, url, envelope_json) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (id) DO UPDATE SET url = excluded.url, envelope_json = excluded.envelope_json`,
};

export const UPSERT_SAMPLE: PgStatement = {
  name: 'upsert_probe_sample',
  text: `INSERT INTO probe_samples (probe_id, n, envelope_json) VALUES ($1, $2, $3)
    ON CONFLICT (probe_id, n) DO UPDATE SET envelope_json = excluded.envelope_json`,
};

export const RENEW_COMPARISON: PgStatement = {
  name: 'renew_comparison',
  text: 'UPDATE comparisons SET lease_until = $2 WHERE id = $1',
};

export const END_COMPARISON: PgStatement = {
  name: 'end_comparison',
  text: `UPDATE comparisons
    SET status = $2, result_json = $3, error = $4, left_sealed = NULL, right_sealed = NULL WHERE id = $1`,
};

export const EXPLANATION_OFF: PgStatement = {
  name: 'explanation_off',
  text: `UPDATE explanations SET state = 'off' WHERE comparison_id = $1 AND state = 'pending'`,
};

export const UPDATE_EXPLANATION: PgStatement = {
  name: 'update_explanation',
  text: `UPDATE explanations e SET state = $3, text_json = $4, model = $5, prompt_version = $6 FROM comparisons c
    WHERE c.id = $1 AND c.tenant_id = $2 AND c.status = 'completed'
      AND e.comparison_id = c.id AND e.state = 'pending' RETURNING c.id`,
};

export const SELECT_COMPARISON: PgStatement = {
  name: 'select_comparison',
  text: `SELECT ${COLUMNS} ${FROM} WHERE c.id = $1 AND c.tenant_id = $2`,
};

export const SELECT_HISTORY: PgStatement = {
  name: 'select_history',
  text: `SELECT ${COLUMNS} ${FROM}
    WHERE c.tenant_id = $1 AND c.pair_key = $2 AND (NOT $3::boolean OR c.status = 'completed')
    ORDER BY c.ts DESC, c.id COLLATE "C" DESC LIMIT $4`,
};

export const SELECT_PROBES: PgStatement = {
  name: 'select_probes',
  text: `SELECT p.id, p.side, p.ts, p.url, p.envelope_json FROM probes p
    JOIN comparisons c ON c.id = p.comparison_id WHERE c.id = $1 AND c.tenant_id = $2 ORDER BY p.side`,
};

export const SELECT_SAMPLES: PgStatement = {
  name: 'select_probe_samples',
  text: `SELECT s.probe_id, s.n, s.envelope_json FROM probe_samples s JOIN probes p ON p.id = s.probe_id
    JOIN comparisons c ON c.id = p.comparison_id
    WHERE c.id = $1 AND c.tenant_id = $2 ORDER BY s.probe_id, s.n`,
};

export const SELECT_SEALED: PgStatement = {
  name: 'select_sealed',
  text: `SELECT left_sealed, right_sealed FROM comparisons
    WHERE id = $1 AND tenant_id = $2 AND status = 'running'`,
};

export const DELETE_COMPARISON: PgStatement = {
  name: 'delete_comparison',
  text: 'DELETE FROM comparisons WHERE id = $1',
};

/** `$1` tenant, `$2` pair. */
export const SELECT_RUNNING_OF_PAIR: PgStatement = {
  name: 'select_running_of_pair',
  text: `SELECT id FROM comparisons WHERE tenant_id = $1 AND pair_key = $2 AND status = 'running' LIMIT 1`,
};

/** `$1` tenant, `$2` pair, `$3` how many. */
export const DELETE_OF_PAIR: PgStatement = {
  name: 'delete_comparisons_of_pair',
  text: `DELETE FROM comparisons WHERE id = ANY (ARRAY(
    SELECT id FROM comparisons WHERE tenant_id = $1 AND pair_key = $2 AND status <> 'running' LIMIT $3::int FOR UPDATE
  )) RETURNING id`,
};

/** Ended comparisons beyond the newest, whatever else is among those; never the one that was just written. */
export const DELETE_SURPLUS: PgStatement = {
  name: 'delete_surplus_comparisons',
  text: `DELETE FROM comparisons WHERE status <> 'running' AND id <> $4 AND id = ANY (ARRAY(
    SELECT id FROM comparisons WHERE tenant_id = $1 AND pair_key = $2
    ORDER BY ts DESC, id COLLATE "C" DESC OFFSET $3))`,
};

export const SELECT_EXPIRED: PgStatement = {
  name: 'select_expired_comparisons',
  text: `SELECT id, tenant_id FROM comparisons WHERE status = 'running' AND lease_until <= $1
    ORDER BY lease_until LIMIT $2`,
};

export const SELECT_PAIRS: PgStatement = {
  name: 'select_pairs',
  text: `SELECT c.id, c.pair_key, c.ts, c.left_url, c.right_url, c.status, p.comparisons
    FROM pairs p JOIN comparisons c ON c.id = p.last_id
    WHERE p.tenant_id = $1 ORDER BY p.last_ts DESC, p.last_id DESC LIMIT $2`,
};
