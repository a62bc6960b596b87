/**
 * The audit store over SQLite: plain synchronous code, to be hosted where it may block. A status moves by
 * compare-and-set, so an audit ends once.
 */
import {
  AUDITS_PER_PAGE_MAX,
  type AuditCursor,
  type AuditEnding,
  type AuditOptions,
  type AuditRow,
  type AuditStatus,
  type NewAudit,
} from '../../audits/index.js';
import { AUDIT_SCHEMA } from './audit-schema.js';
import { prepareSchema } from './prepare-schema.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';
import { numberOrNull, textOrNull } from './sql-values.js';

export class SqliteAuditStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
    prepareSchema(database, AUDIT_SCHEMA);
  }

  createAudit(audit: NewAudit): AuditRow {
    const { id, tenantId, url, canonicalUrl, options, recipeVersion, createdAt } = audit;
    this.#database.run(
      `INSERT INTO audits (id, tenant_id, url, canonical_url, options_json, recipe_version, status, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'queued', ?) ON CONFLICT (id) DO NOTHING`,
      [id, tenantId, url, canonicalUrl, JSON.stringify(options), recipeVersion, createdAt],
    );
    const row = this.getAudit(tenantId, id);
    if (!row) throw new Error('an audit of another tenant has this id');
    return row;
  }

  getAudit(tenantId: string, id: string): AuditRow | null {
    const [row] = this.#database.all('SELECT * FROM audits WHERE tenant_id = ? AND id = ?', [tenantId, id]);
    return row ? auditOf(row) : null;
  }

  listAudits(
    tenantId: string,
    page: { readonly limit: number; readonly before?: AuditCursor },
  ): readonly AuditRow[] {
    const { createdAt, id } = page.before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = this.#database.all(
      `SELECT * FROM audits WHERE tenant_id = ? AND (created_at, id) < (?, ?)
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      [tenantId, createdAt, id, Math.max(0, Math.min(page.limit, AUDITS_PER_PAGE_MAX))],
    );
    return rows.map(auditOf);
  }

  startAudit(id: string): boolean {
    return this.#moved(
      "UPDATE audits SET status = 'running' WHERE id = ? AND status = 'queued' RETURNING id",
      [id],
    );
  }

  finishAudit({ id, status, score, reportRef, finishedAt }: AuditEnding): boolean {
    return this.#moved(
      `UPDATE audits SET status = ?, score = ?, report_ref = ?, finished_at = ?
       WHERE id = ? AND status IN ('queued', 'running') RETURNING id`,
      [status, score, reportRef, finishedAt, id],
    );
  }

  putPart(id: string, part: string, body: string): void {
    this.#database.run(
      'INSERT INTO audit_parts (audit_id, part, body) VALUES (?, ?, ?) ON CONFLICT (audit_id, part) DO UPDATE SET body = excluded.body',
      [id, part, body],
    );
  }

  getPart(id: string, part: string): string | null {
    const [row] = this.#database.all('SELECT body FROM audit_parts WHERE audit_id = ? AND part = ?', [
      id,
      part,
    ]);
    return textOrNull(row?.['body']);
  }

  removeAudit(tenantId: string, id: string): boolean {
    return this.#database.transaction(() => {
      const removed = this.#moved('DELETE FROM audits WHERE tenant_id = ? AND id = ? RETURNING id', [
        tenantId,
        id,
      ]);
      if (removed) this.#database.run('DELETE FROM audit_parts WHERE audit_id = ?', [id]);
      return removed;
    });
  }

  #moved(sql: string, params: Parameters<SqlDatabase['all']>[1]): boolean {
    return this.#database.all(sql, params).length > 0;
  }
}

function auditOf(row: SqlRow): AuditRow {
  return {
    id: String(row['id']),
    tenantId: String(row['tenant_id']),
    url: String(row['url']),
    canonicalUrl: String(row['canonical_url']),
    options: JSON.parse(String(row['options_json'])) as AuditOptions,
    recipeVersion: String(row['recipe_version']),
    status: String(row['status']) as AuditStatus,
    score: numberOrNull(row['score']),
    reportRef: textOrNull(row['report_ref']),
    createdAt: Number(row['created_at']),
    finishedAt: numberOrNull(row['finished_at']),
  };
}
