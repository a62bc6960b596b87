/** SQL that reads audits with the state of their jobs, and writes the parts of their records under the job's lease. */
import type { AuditFilter } from '../../../audits/audit-store.js';
import { type PgStatement, pgStatement } from '../pg-database.js';

const SELECT = `SELECT a.id, a.tenant_id, a.url, a.canonical_url, a.options_json, a.recipe_version, a.status,
  a.score, a.report_ref, a.created_at, a.finished_at, j.job_id, j.last_error,
  (SELECT max(e.progress_pct) FROM audit_progress_events e WHERE e.job_id = j.job_id) AS progress_pct
  FROM audits a JOIN audit_jobs j ON j.audit_id = a.id AND j.tenant_id = a.tenant_id WHERE a.tenant_id = $1`;

export const SELECT_AUDIT = pgStatement('select_audit')`${SELECT} AND a.id = $2`;

/** Each filter has an index in the order of the list. */
export function selectAudits(
  tenantId: string,
  { status, canonicalUrl, after, limit }: AuditFilter,
): { readonly statement: PgStatement; readonly params: readonly (string | number)[] } {
  let name = 'select_audits';
  let conditions = '';
  const params: (string | number)[] = [tenantId, limit];
  const add = (
    filter: string,
    condition: (...places: string[]) => string,
    ...values: (string | number)[]
  ) => {
    name += filter;
    conditions += ` AND ${condition(...values.map((value) => `$${params.push(value)}`))}`;
  };
  if (status !== undefined) add('_of_status', (at) => `a.status = ${at}::text`, status);
  if (canonicalUrl !== undefined) add('_of_site', (at) => `a.canonical_url = ${at}::text`, canonicalUrl);
  if (after) {
    const isOlder = (at?: string, id?: string) =>
      `(a.created_at, a.id) < (to_timestamp(${at}::float8 / 1000), ${id}::uuid)`;
    add('_after', isOlder, after.createdAt, after.auditId);
  }
  const text = `${SELECT}${conditions} ORDER BY a.created_at DESC, a.id DESC LIMIT $2::int`;
  return { statement: { name, text }, params };
}

/** The audit of a job under this lease; no row if the lease is lost. The row is locked until the write ends. */
const HELD = `SELECT audit_id FROM audit_jobs
  WHERE job_id = $1 AND lease_token = $2 AND status = 'running' FOR UPDATE`;

export const HOLD_AUDIT: PgStatement = { name: 'hold_audit', text: HELD };

export const DELETE_PART = pgStatement('delete_audit_part')`
  DELETE FROM audit_parts WHERE audit_id = $1 AND part = $2`;

export const INSERT_PART = pgStatement('insert_audit_part')`
  INSERT INTO audit_parts (audit_id, part, piece, body)
    SELECT $1, $2, $4::int + p.piece - 1, p.body FROM unnest($3::text[]) WITH ORDINALITY AS p (body, piece)`;

export const SELECT_PART = pgStatement('select_audit_part')`
  SELECT p.body FROM audit_parts p JOIN audits a ON a.id = p.audit_id
    WHERE p.audit_id = $1 AND p.part = $2 AND a.tenant_id = $3 ORDER BY p.piece`;

export const SELECT_PIECES = pgStatement('select_audit_pieces')`
  SELECT p.body, (SELECT count(*) FROM audit_parts c WHERE c.audit_id = p.audit_id AND c.part = p.part) AS total
    FROM audit_parts p JOIN audits a ON a.id = p.audit_id
    WHERE p.audit_id = $1 AND p.part = $2 AND a.tenant_id = $3 AND p.piece >= $4 AND p.piece < $5 ORDER BY p.piece`;

export const UPDATE_RESULT = pgStatement('update_audit_result')`WITH held AS (${HELD})
    UPDATE audits a SET score = $3, report_ref = $4 FROM held WHERE a.id = held.audit_id RETURNING a.id`;
