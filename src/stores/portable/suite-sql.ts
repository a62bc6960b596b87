/** SQL for suites and their paths. */
import { postgresOnly, sqliteOnly, statement } from './sql-work.js';

const SUITE = `SELECT s.id, s.tenant_id, s.ts, s.left_url, s.right_url, s.options_json, s.status, s.findings_json,
  s.notes_json, s.error, (
    SELECT CAST(coalesce(json_object_agg(coalesce(by_verdict.verdict, 'open'), by_verdict.n), '{}') AS TEXT) FROM (
      SELECT verdict, count(*) AS n FROM suite_paths WHERE suite_id = s.id GROUP BY verdict
    ) by_verdict
  ) AS counts FROM suites s`;

/** A lock per tenant, held while its suites are counted and deleted. */
export const LOCK_SUITES = postgresOnly('lock_suites')`
  SELECT pg_advisory_xact_lock(hashtextextended('suites ' || ?, 0))`;

export const LOCK_SUITE = statement('lock_suite')`
  SELECT status, findings_json FROM suites WHERE id = ? AND tenant_id = ? FOR UPDATE`;

export const COUNT_RUNNING = statement('count_running_suites')`
  SELECT count(*) AS n FROM suites WHERE tenant_id = ? AND status = 'running'`;

export const INSERT_SUITE = statement('insert_suite')`INSERT INTO suites (
    id, tenant_id, ts, left_url, right_url, options_json, left_sealed, right_sealed
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export const PLAN_SUITE = statement('plan_suite')`
  UPDATE suites SET findings_json = ?, notes_json = ? WHERE id = ?`;

/** Parameters: suite, number of the first path, paths as JSON. */
export const INSERT_PATHS = {
  ...postgresOnly('insert_suite_paths')`INSERT INTO suite_paths (suite_id, n, path, comparison_id)
      SELECT ?, ?::int + p.n - 1, p.value ->> 'path', p.value ->> 'comparisonId'
      FROM json_array_elements(?::json) WITH ORDINALITY AS p (value, n)`,
  sqlite: `INSERT INTO suite_paths (suite_id, n, path, comparison_id)
    SELECT ?, ? + p.key, p.value ->> 'path', p.value ->> 'comparisonId' FROM json_each(?) p`,
};

/** Parameters: verdict, findings, suite, path; 1 if an earlier run may have saved it; verdict and findings again. */
export const SAVE_PATH = statement('save_suite_path')`
  UPDATE suite_paths SET verdict = ?, findings = ? WHERE suite_id = ? AND n = ?
    AND (verdict IS NULL OR (? = 1 AND verdict = ? AND findings = ?)) RETURNING n`;

/** Parameters: suite, and the last path to delete. */
export const DELETE_PATHS = statement('delete_suite_paths')`
  DELETE FROM suite_paths WHERE suite_id = ? AND n <= ?`;

export const SELECT_ANY_PATH = statement('select_any_suite_path')`
  SELECT n FROM suite_paths WHERE suite_id = ? LIMIT 1`;

export const DELETE_SUITE = [
  sqliteOnly('delete_all_suite_paths')`DELETE FROM suite_paths WHERE suite_id = ?`,
  statement('delete_suite')`DELETE FROM suites WHERE id = ?`,
];

export const END_SUITE = statement('end_suite')`
  UPDATE suites SET status = ?, error = ?, left_sealed = NULL, right_sealed = NULL WHERE id = ?`;

export const SELECT_SUITE = statement('select_suite')`${SUITE} WHERE s.id = ? AND s.tenant_id = ?`;

export const SELECT_SUITES = statement('select_suites')`
  ${SUITE} WHERE s.tenant_id = ? ORDER BY s.ts DESC, s.id COLLATE "C" DESC LIMIT ?`;

export const SELECT_PATHS = statement('select_suite_paths')`
  SELECT p.n, p.path, p.comparison_id, p.verdict, p.findings FROM suite_paths p
    JOIN suites s ON s.id = p.suite_id
    WHERE s.id = ? AND s.tenant_id = ? AND p.n > ? AND (? = 0 OR p.verdict IS NULL) ORDER BY p.n LIMIT ?`;

export const SELECT_SEALED = statement('select_suite_sealed')`
  SELECT left_sealed, right_sealed FROM suites WHERE id = ? AND tenant_id = ? AND status = 'running'`;

/** Suites beyond the newest, ended or not. If there are more than 100, the next write handles the others. */
export const SELECT_SURPLUS = statement('select_surplus_suites')`
  SELECT id, status FROM suites WHERE tenant_id = ? ORDER BY ts DESC, id COLLATE "C" DESC LIMIT 100 OFFSET ?`;
