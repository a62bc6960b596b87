/** Audits on PostgreSQL, in the same database as their jobs. */
import {
  type Audit,
  type AuditFilter,
  type AuditLease,
  type AuditStore,
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

  async list(tenantId: string, { status, after, limit }: AuditFilter) {
    const { first, next, firstOfStatus, nextOfStatus } = sql.SELECT_AUDITS;
    const ofStatus = status === undefined ? [] : [status];
    const [ofAll, ofOne] = after ? [next, nextOfStatus] : [first, firstOfStatus];
    const params = [tenantId, limit, ...(after ? [after.createdAt, after.auditId] : []), ...ofStatus];
    return (await this.#database.query(status === undefined ? ofAll : ofOne, params)).map(auditOf);
  }

  putPart({ jobId, leaseToken }: AuditLease, part: string, text: string) {
    const pieces = piecesOf(storableText(text));
    return this.#database.transaction(async (queries) => {
      const [held] = await queries.query(sql.HOLD_AUDIT, [jobId, leaseToken]);
      if (!held) return false;
      const auditId = String(held['audit_id']);
      await queries.query(sql.DELETE_PART, [auditId, part]);
      await queries.query(sql.INSERT_PART, [auditId, part, pieces]);
      return true;
    }, MAINTENANCE);
  }

  async getPart({ tenantId, auditId }: Pick<Audit, 'tenantId' | 'auditId'>, part: string) {
    const rows = await this.#database.query(sql.SELECT_PART, [auditId, part, tenantId]);
    return rows.length === 0 ? undefined : rows.map((row) => String(row['body'])).join('');
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
