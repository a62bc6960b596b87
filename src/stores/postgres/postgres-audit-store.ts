/** Audits on PostgreSQL, in the same database as their jobs. */
import {
  type Audit,
  type AuditFilter,
  type AuditLease,
  type AuditStore,
  PIECES_PER_READ,
  piecesOf,
} from '../../audits/audit-store.js';
import { storableText } from '../storable.js';
import { MAINTENANCE, type PgDatabase } from './pg-database.js';
import { auditOf } from './pg-rows.js';
import * as sql from './sql/audits.js';

export class PostgresAuditStore implements AuditStore {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  async get(tenantId: string, auditId: string) {
    const [row] = await this.#database.query(sql.SELECT_AUDIT, [tenantId, auditId]);
    return row && auditOf(row);
  }

  async list(tenantId: string, filter: AuditFilter) {
    const { statement, params } = sql.selectAudits(tenantId, filter);
    return (await this.#database.query(statement, params)).map(auditOf);
  }

  putPart({ jobId, leaseToken }: AuditLease, part: string, text: string) {
    const pieces = piecesOf(text);
    return this.#database.transaction(async (queries) => {
      const [held] = await queries.query(sql.HOLD_AUDIT, [jobId, leaseToken]);
      if (!held) return false;
      const auditId = String(held['audit_id']);
      await queries.query(sql.DELETE_PART, [auditId, part]);
      // A few at a time: the driver escapes what it sends in one turn.
      for (let from = 0; from < pieces.length; from += PIECES_PER_READ) {
        const some = pieces.slice(from, from + PIECES_PER_READ).map(storableText);
        await queries.query(sql.INSERT_PART, [auditId, part, some, from]);
      }
      return true;
    }, MAINTENANCE);
  }

  async getPart({ tenantId, auditId }: Pick<Audit, 'tenantId' | 'auditId'>, part: string) {
    const rows = await this.#database.query(sql.SELECT_PART, [auditId, part, tenantId]);
    return rows.length === 0 ? undefined : rows.map((row) => String(row['body'])).join('');
  }

  async getPieces({ tenantId, auditId }: Pick<Audit, 'tenantId' | 'auditId'>, part: string, from: number) {
    const params = [auditId, part, tenantId, from, from + PIECES_PER_READ];
    const rows = await this.#database.query(sql.SELECT_PIECES, params);
    return { pieces: rows.map((row) => String(row['body'])), total: Number(rows[0]?.['total'] ?? 0) };
  }

  async setResult(
    { jobId, leaseToken }: AuditLease,
    result: { readonly score: number | null; readonly reportRef: string },
  ) {
    const rows = await this.#database.query(sql.UPDATE_RESULT, [
      jobId,
      leaseToken,
      result.score,
      result.reportRef,
    ]);
    return rows.length > 0;
  }
}
