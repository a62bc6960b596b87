/** Audits on SQLite, in the same database as their jobs. */
import {
  type Audit,
  type AuditFilter,
  type AuditLease,
  type AuditStore,
  type PartPieces,
  PIECES_PER_READ,
  piecesOf,
} from '../../audits/audit-store.js';
import { textOrNull } from '../portable/sql-work.js';
import { storableText } from '../storable.js';
import type { SqlDatabase } from './sql-database.js';
import { auditOf } from './sql-rows.js';
import type { SyncPort } from './sync-port.js';

export class SqliteAuditStore implements SyncPort<AuditStore> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  get(tenantId: string, auditId: string): Audit | undefined {
    const [row] = this.#database.all(`${SELECT} AND a.id = ?`, [tenantId, auditId]);
    return row && auditOf(row);
  }

  list(tenantId: string, { status, canonicalUrl, after, limit }: AuditFilter): readonly Audit[] {
    const { createdAt = Number.MAX_SAFE_INTEGER, auditId = '' } = after ?? {};
    const equal = Object.entries({ status, canonical_url: canonicalUrl }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    const conditions = equal.map(([column]) => ` AND a.${column} = ?`).join('');
    const params = [tenantId, ...equal.map(([, value]) => value), createdAt, auditId, limit];
    return this.#database.all(`${SELECT}${conditions} ${PAGE}`, params).map(auditOf);
  }

  putPart(lease: AuditLease, part: string, text: string): boolean {
    const auditId = this.#heldAudit(lease);
    if (auditId === undefined) return false;
    this.#database.run('DELETE FROM audit_parts WHERE audit_id = ? AND part = ?', [auditId, part]);
    for (const [piece, body] of piecesOf(storableText(text)).entries()) {
      this.#database.run('INSERT INTO audit_parts (audit_id, part, piece, body) VALUES (?, ?, ?, ?)', [
        auditId,
        part,
        piece,
        body,
      ]);
    }
    return true;
  }

  getPart({ tenantId, auditId }: Pick<Audit, 'tenantId' | 'auditId'>, part: string): string | undefined {
    const rows = this.#database.all(SELECT_PART, [auditId, part, tenantId]);
    return rows.length === 0 ? undefined : rows.map((row) => String(row['body'])).join('');
  }

  getPieces(
    { tenantId, auditId }: Pick<Audit, 'tenantId' | 'auditId'>,
    part: string,
    from: number,
  ): PartPieces {
    const rows = this.#database.all(SELECT_PIECES, [auditId, part, tenantId, from, from + PIECES_PER_READ]);
    const [counted] = this.#database.all(COUNT_PIECES, [auditId, part, tenantId]);
    return { pieces: rows.map((row) => String(row['body'])), total: Number(counted?.['n'] ?? 0) };
  }

  setResult(
    lease: AuditLease,
    { score, reportRef }: { readonly score: number | null; readonly reportRef: string },
  ): boolean {
    const auditId = this.#heldAudit(lease);
    if (auditId === undefined) return false;
    this.#database.run('UPDATE audits SET score = ?, report_ref = ? WHERE id = ?', [
      score,
      reportRef,
      auditId,
    ]);
    return true;
  }

  /** Returns undefined if the job is no longer held under this lease, which fences off late writes. */
  #heldAudit({ jobId, leaseToken }: AuditLease): string | undefined {
    const [row] = this.#database.all(
      "SELECT audit_id FROM audit_jobs WHERE job_id = ? AND lease_token = ? AND status = 'running'",
      [jobId, leaseToken],
    );
    return textOrNull(row?.['audit_id'] ?? null) ?? undefined;
  }
}

/** An audit has one job; a retry uses the same job. */
const SELECT = `SELECT a.*, j.job_id, j.last_error,
  (SELECT max(e.progress_pct) FROM audit_progress_events e WHERE e.job_id = j.job_id) AS progress_pct
  FROM audits a JOIN audit_jobs j ON j.audit_id = a.id AND j.tenant_id = a.tenant_id WHERE a.tenant_id = ?`;

const PAGE = 'AND (a.created_at, a.id) < (?, ?) ORDER BY a.created_at DESC, a.id DESC LIMIT ?';

const OF_PART =
  'FROM audit_parts p JOIN audits a ON a.id = p.audit_id WHERE p.audit_id = ? AND p.part = ? AND a.tenant_id = ?';
const SELECT_PART = `SELECT p.body ${OF_PART} ORDER BY p.piece`;
const SELECT_PIECES = `SELECT p.body ${OF_PART} AND p.piece >= ? AND p.piece < ? ORDER BY p.piece`;
const COUNT_PIECES = `SELECT count(*) AS n ${OF_PART}`;
