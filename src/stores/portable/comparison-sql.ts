/** SQL for comparisons and for the baselines of pairs. */
import { postgresOnly, sqliteOnly, statement } from './sql-work.js';

/** All columns except the sealed sides, which only `getSealed` returns. */
const COMPARISON = `SELECT c.id, c.tenant_id, c.pair_key, c.ts, c.left_url, c.right_url, c.status, c.result_json,
  c.error, c.options_json, e.state, e.text_json, e.model, e.prompt_version
  FROM comparisons c LEFT JOIN explanations e ON e.comparison_id = c.id`;

/** Held until the end of the transaction, so that two creates for one pair cannot both take the last free slot. */
export const LOCK_PAIR = postgresOnly('lock_pair')`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`;

/** Locked until the end of the transaction, so that a comparison ends once. */
export const LOCK_COMPARISON = statement('lock_comparison')`
  SELECT status, pair_key FROM comparisons WHERE id = ? AND tenant_id = ? FOR UPDATE`;

export const COUNT_RUNNING = statement('count_running_comparisons')`
  SELECT count(*) AS n FROM comparisons WHERE tenant_id = ? AND pair_key = ? AND status = 'running'`;

export const INSERT_COMPARISON = statement('insert_comparison')`INSERT INTO comparisons (
    id, tenant_id, ts, left_url, right_url, options_json, left_sealed, right_sealed, suite_id, job_id
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const INSERT_EXPLANATION = statement('insert_explanation')`
  INSERT INTO explanations (comparison_id, state) VALUES (?, ?)`;

export const UPSERT_PROBE = statement('upsert_probe')`
  INSERT INTO probes (id, comparison_id, ts, side, url, envelope_json) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET url = excluded.url, envelope_json = excluded.envelope_json`;

export const UPSERT_SAMPLE = statement('upsert_probe_sample')`
  INSERT INTO probe_samples (probe_id, n, envelope_json) VALUES (?, ?, ?)
    ON CONFLICT (probe_id, n) DO UPDATE SET envelope_json = excluded.envelope_json`;

export const END_COMPARISON = statement('end_comparison')`
  UPDATE comparisons SET status = ?, result_json = ?, error = ?, left_sealed = NULL, right_sealed = NULL WHERE id = ?`;

export const EXPLANATION_OFF = statement('explanation_off')`
  UPDATE explanations SET state = 'off' WHERE comparison_id = ? AND state = 'pending'`;

export const UPDATE_EXPLANATION = statement('update_explanation')`
  UPDATE explanations SET state = ?, text_json = ?, model = ?, prompt_version = ?
    WHERE comparison_id = ? AND state = 'pending' RETURNING comparison_id`;

export const SELECT_COMPARISON = statement('select_comparison')`
  ${COMPARISON} WHERE c.id = ? AND c.tenant_id = ?`;

export const SELECT_HISTORY = statement('select_history')`
  ${COMPARISON} WHERE c.tenant_id = ? AND c.pair_key = ? AND (? = 0 OR c.status = 'completed')
    ORDER BY c.ts DESC, c.id COLLATE "C" DESC LIMIT ?`;

export const SELECT_PROBES = statement('select_probes')`
  SELECT p.id, p.side, p.ts, p.url, p.envelope_json FROM probes p
    JOIN comparisons c ON c.id = p.comparison_id WHERE c.id = ? AND c.tenant_id = ? ORDER BY p.side`;

export const SELECT_SAMPLES = statement('select_probe_samples')`
  SELECT s.probe_id, s.n, s.envelope_json FROM probe_samples s JOIN probes p ON p.id = s.probe_id
    JOIN comparisons c ON c.id = p.comparison_id
    WHERE c.id = ? AND c.tenant_id = ? ORDER BY s.probe_id, s.n`;

export const SELECT_SEALED = statement('select_sealed')`
  SELECT left_sealed, right_sealed FROM comparisons WHERE id = ? AND tenant_id = ? AND status = 'running'`;

export const SELECT_RUNNING_OF_PAIR = statement('select_running_of_pair')`
  SELECT id FROM comparisons WHERE tenant_id = ? AND pair_key = ? AND status = 'running' LIMIT 1`;

export const SELECT_OF_PAIR = statement('select_comparisons_of_pair')`
  SELECT id FROM comparisons WHERE tenant_id = ? AND pair_key = ? AND status <> 'running' LIMIT ? FOR UPDATE`;

/** Comparisons beyond the newest, ended or not. If there are more than 100, the next write handles the others. */
export const SELECT_SURPLUS = statement('select_surplus_comparisons')`
  SELECT id, status FROM comparisons WHERE tenant_id = ? AND pair_key = ?
    ORDER BY ts DESC, id COLLATE "C" DESC LIMIT 100 OFFSET ?`;

/**
 * Parameters: tenant, time and id of the comparison to continue after, limit. Joins by the collation of the primary
 * key; by that of `last_id`, PostgreSQL would read every comparison.
 */
export const SELECT_PAIRS = statement('select_pairs')`
  SELECT c.id, c.pair_key, c.ts, c.left_url, c.right_url, c.status, p.comparisons
    FROM pairs p JOIN comparisons c ON c.id = p.last_id COLLATE "default"
    WHERE p.tenant_id = ? AND (p.last_ts, p.last_id) < (?, ?) ORDER BY p.last_ts DESC, p.last_id DESC LIMIT ?`;

/** The same for pairs with a comparison outside suites. */
export const SELECT_OWN_PAIRS = statement('select_own_pairs')`
  SELECT c.id, c.pair_key, c.ts, c.left_url, c.right_url, c.status, p.comparisons
    FROM pairs p JOIN comparisons c ON c.id = p.own_id COLLATE "default"
    WHERE p.tenant_id = ? AND (p.own_ts, p.own_id) < (?, ?) ORDER BY p.own_ts DESC, p.own_id DESC LIMIT ?`;

/** Run in this order. Foreign keys cascade on PostgreSQL, but not every host of SQLite enforces them. */
export const DELETE_COMPARISON = [
  sqliteOnly('delete_probe_samples')`
    DELETE FROM probe_samples WHERE probe_id IN (SELECT id FROM probes WHERE comparison_id = ?)`,
  sqliteOnly('delete_probes')`DELETE FROM probes WHERE comparison_id = ?`,
  sqliteOnly('delete_explanation')`DELETE FROM explanations WHERE comparison_id = ?`,
  statement('delete_comparison')`DELETE FROM comparisons WHERE id = ?`,
];

export const UPSERT_ACCEPTED = statement('upsert_accepted')`
  INSERT INTO pair_baselines (tenant_id, pair_key, fingerprint, comparison_id, accepted_at, entry_json)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, pair_key, fingerprint) DO UPDATE SET
      comparison_id = excluded.comparison_id, accepted_at = excluded.accepted_at, entry_json = excluded.entry_json`;

export const SELECT_ACCEPTED = statement('select_accepted')`
  SELECT comparison_id, accepted_at, entry_json FROM pair_baselines WHERE tenant_id = ? AND pair_key = ?
    ORDER BY accepted_at, fingerprint COLLATE "C"`;

export const DELETE_ACCEPTED = statement('delete_accepted')`
  DELETE FROM pair_baselines WHERE tenant_id = ? AND pair_key = ? AND fingerprint = ? RETURNING fingerprint`;

export const DELETE_ALL_ACCEPTED = statement('delete_all_accepted')`
  DELETE FROM pair_baselines WHERE tenant_id = ? AND pair_key = ? RETURNING fingerprint`;
