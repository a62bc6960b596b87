/** Suites and their paths. A tenant's suites are counted and dropped under a lock of the tenant. */
import type { PgStatement } from '../pg-database.js';

const SELECT = `SELECT s.id, s.tenant_id, s.ts, s.left_url, s.right_url, s.options_json, s.status, s.findings_json,
  s.notes_json, s.error, (
    SELECT coalesce(json_object_agg(coalesce(p.verdict, 'open'), p.n), '{}') FROM (
      SELECT verdict, count(*) AS n FROM suite_paths WHERE suite_id = s.id GROUP BY verdict
    ) p
  ) AS counts FROM suites s`;

export const LOCK_SUITES: PgStatement = {
  name: 'lock_suites',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('suites ' || $1, 0))`,
};

export const LOCK_SUITE: PgStatement = {
  name: 'lock_suite',
  text: 'SELECT status, findings_json FROM suites WHERE id = $1 AND tenant_id = $2 FOR UPDATE',
};

export const COUNT_RUNNING: PgStatement = {
  name: 'count_running_suites',
  text: `SELECT count(*) AS n FROM suites WHERE tenant_id = $1 AND status = 'running'`,
};

export const INSERT_SUITE: PgStatement = {
  name: 'insert_suite',
  text: `INSERT INTO suites (
      id, tenant_id, ts, left_url, right_url, options_json, lease_until, left_sealed, right_sealed
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

export const PLAN_SUITE: PgStatement = {
  name: 'plan_suite',
  text: 'UPDATE suites SET findings_json = $2, notes_json = $3 WHERE id = $1',
};

export const INSERT_PATHS: PgStatement = {
  name: 'insert_suite_paths',
  text: `INSERT INTO suite_paths (suite_id, n, path, comparison_id)
    SELECT $1, p.n - 1, p.path, p.comparison_id
    FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS p (path, comparison_id, n)`,
};

/** `$1` suite, `$2` path, `$3` verdict, `$4` findings, `$5` whether an earlier run of this may have been done. */
export const SAVE_PATH: PgStatement = {
  name: 'save_suite_path',
  text: `UPDATE suite_paths SET verdict = $3::text, findings = $4::int
    WHERE suite_id = $1 AND n = $2
      AND (verdict IS NULL OR ($5::boolean AND verdict = $3::text AND findings = $4::int)) RETURNING n`,
};

export const RENEW_SUITE: PgStatement = {
  name: 'renew_suite',
  text: 'UPDATE suites SET lease_until = $2 WHERE id = $1',
};

/** `$1` suite, `$2` the last path that goes. */
export const DELETE_PATHS: PgStatement = {
  name: 'delete_suite_paths',
  text: 'DELETE FROM suite_paths WHERE suite_id = $1 AND n <= $2',
};

export const SELECT_ANY_PATH: PgStatement = {
  name: 'select_any_suite_path',
  text: 'SELECT n FROM suite_paths WHERE suite_id = $1 LIMIT 1',
};

export const DELETE_SUITE: PgStatement = {
  name: 'delete_suite',
  text: 'DELETE FROM suites WHERE id = $1',
};

export const END_SUITE: PgStatement = {
  name: 'end_suite',
  text: 'UPDATE suites SET status = $2, error = $3, left_sealed = NULL, right_sealed = NULL WHERE id = $1',
};

export const SELECT_SUITE: PgStatement = {
  name: 'select_suite',
  text: `${SELECT} WHERE s.id = $1 AND s.tenant_id = $2`,
};

export const SELECT_SUITES: PgStatement = {
  name: 'select_suites',
  text: `${SELECT} WHERE s.tenant_id = $1 ORDER BY s.ts DESC, s.id COLLATE "C" DESC LIMIT $2`,
};

export const SELECT_PATHS: PgStatement = {
  name: 'select_suite_paths',
  text: `SELECT p.n, p.path, p.comparison_id, p.verdict, p.findings FROM suite_paths p
    JOIN suites s ON s.id = p.suite_id
    WHERE s.id = $1 AND s.tenant_id = $2 AND p.n > $3 AND (NOT $4::boolean OR p.verdict IS NULL)
    ORDER BY p.n LIMIT $5`,
};

export const SELECT_SEALED: PgStatement = {
  name: 'select_suite_sealed',
  text: `SELECT left_sealed, right_sealed FROM suites WHERE id = $1 AND tenant_id = $2 AND status = 'running'`,
};

export const SELECT_EXPIRED: PgStatement = {
  name: 'select_expired_suites',
  text: `SELECT id, tenant_id FROM suites WHERE status = 'running' AND lease_until <= $1
    ORDER BY lease_until LIMIT $2`,
};

export const DELETE_SURPLUS: PgStatement = {
  name: 'delete_surplus_suites',
  text: `DELETE FROM suites WHERE status <> 'running' AND id <> $3 AND id = ANY (ARRAY(
    SELECT id FROM suites WHERE tenant_id = $1 ORDER BY ts DESC, id COLLATE "C" DESC OFFSET $2))`,
};
