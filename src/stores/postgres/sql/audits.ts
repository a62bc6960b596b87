/** Reads audits with the state of their jobs, and keeps the parts of their records under the job's lease. */
import type { PgStatement } from '../pg-database.js';

const SELECT = `SELECT a.id, a.tenant_id, a.url, a.canonical_url, a.options_json, a.recipe_version, a.status,
  a.score, a.report_ref, a.created_at, a.finished_at, j.job_id, j.last_error,
  (SELECT max(e.progress_pct) FROM audit_progress_events e WHERE e.job_id = j.job_id) AS progress_pct
  FROM audits a JOIN audit_jobs j ON j.audit_id = a.id AND j.tenant_id = a.tenant_id WHERE a.tenant_id = $1`;

/** In the milliseconds by which a page is named. */
const AT = "date_trunc('milliseconds', a.created_at)";

export const SELECT_AUDIT: PgStatement = { name: 'select_audit', text: `${SELECT} AND a.id = $2` };

export const SELECT_AUDITS: PgStatement = {
  name: 'select_audits',
  text: `${SELECT} AND ($2::text IS NULL OR a.status = $2)
    AND ($3::float8 IS NULL OR (${AT}, a.id) < (to_timestamp($3 / 1000.0), $4::uuid))
    ORDER BY ${AT} DESC, a.id DESC LIMIT $5`,
};

/** The audit that is held under the lease; no row where it is not. The row is locked to the end of the write. */
const HELD = `SELECT audit_id FROM audit_jobs
  WHERE job_id = $1 AND lease_token = $2 AND status = 'running' FOR UPDATE`;

export const HOLD_AUDIT: PgStatement = { name: 'hold_audit', text: HELD };

export const DELETE_PART: PgStatement = {
  name: 'delete_audit_part',
  text: 'DELETE FROM audit_parts WHERE audit_id = $1 AND part = $2',
};

export const INSERT_PART: PgStatement = {
  name: 'insert_audit_part',
  text: `INSERT INTO audit_parts (audit_id, part, piece, body)
    SELECT $1, $2, p.piece - 1, p.body FROM unnest($3::text[]) WITH ORDINALITY AS p (body, piece)`,
};

export const SELECT_PART: PgStatement = {
  name: 'select_audit_part',
  text: `SELECT p.body FROM audit_parts p JOIN audits a ON a.id = p.audit_id
    WHERE p.audit_id = $1 AND p.part = $2 AND a.tenant_id = $3 ORDER BY p.piece`,
};

export const UPDATE_RESULT: PgStatement = {
  name: 'update_audit_result',
  text: `WITH held AS (${HELD})
    UPDATE audits a SET score = $3, report_ref = $4 FROM held WHERE a.id = held.audit_id RETURNING a.id`,
};
