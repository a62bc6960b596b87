/** Idempotency keys and their stored responses, on SQLite. */
import type {
  IdempotencyOutcome,
  IdempotencyOwner,
  IdempotencyRequest,
  IdempotencyStore,
  StoredResponse,
} from '../../jobs/index.js';
import { textOrNull } from '../portable/sql-work.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';
import type { SyncPort } from './sync-port.js';

export class SqliteIdempotencyStore implements SyncPort<IdempotencyStore> {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;
  readonly #mayDestroy: () => boolean;

  constructor(database: SqlDatabase, clock: () => number, mayDestroy: () => boolean = () => true) {
    this.#database = database;
    this.#clock = clock;
    this.#mayDestroy = mayDestroy;
  }

  begin(request: IdempotencyRequest): IdempotencyOutcome {
    const { tenantId, key, fingerprint, owner, newId, inFlightMs, keepMs, keysMax } = request;
    const now = this.#clock();
    // A key is never lost to a wrong clock.
    if (this.#mayDestroy()) this.#database.run(DELETE_IF_EXPIRED, [tenantId, key, now]);
    const [row] = this.#database.all(SELECT, [tenantId, key]);
    if (row) return this.#repeat(row, request, now);
    const [count] = this.#database.all(COUNT, [tenantId]);
    if (Number(count?.['n'] ?? 0) >= keysMax) return { kind: 'full' };
    this.#database.run(INSERT, [tenantId, key, fingerprint, owner, newId, now + inFlightMs, now + keepMs]);
    return { kind: 'begun', id: newId };
  }

  finish({ tenantId, key, owner }: IdempotencyOwner, { status, location, body }: StoredResponse) {
    this.#database.run(FINISH, [status, location, body, tenantId, key, owner]);
  }

  abandon({ tenantId, key, owner }: IdempotencyOwner) {
    this.#database.run(ABANDON, [tenantId, key, owner]);
  }

  prune(limit: number) {
    if (!this.#mayDestroy()) return 0;
    return this.#database.all(DELETE_EXPIRED, [this.#clock(), limit]).length;
  }

  #repeat(row: SqlRow, request: IdempotencyRequest, now: number): IdempotencyOutcome {
    if (row['fingerprint'] !== request.fingerprint) return { kind: 'mismatch' };
    const status = row['answer_status'];
    if (typeof status === 'number') {
      const location = textOrNull(row['answer_location']);
      return { kind: 'replayed', response: { status, location, body: String(row['answer_body']) } };
    }
    if (Number(row['locked_until']) > now) return { kind: 'in_flight' };
    const { tenantId, key, owner, inFlightMs } = request;
    this.#database.run(TAKE_OVER, [owner, now + inFlightMs, tenantId, key]);
    return { kind: 'begun', id: String(row['new_id']) };
  }
}

const DELETE_IF_EXPIRED = 'DELETE FROM idempotency_keys WHERE tenant_id = ? AND key = ? AND expires_at <= ?';
const SELECT = 'SELECT * FROM idempotency_keys WHERE tenant_id = ? AND key = ?';
const COUNT = `SELECT n FROM record_counts WHERE tenant_id = ? AND name = 'idempotency_keys'`;
const DELETE_EXPIRED = `DELETE FROM idempotency_keys WHERE (tenant_id, key) IN (
  SELECT tenant_id, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
) RETURNING key`;
const INSERT = `INSERT INTO idempotency_keys (
  tenant_id, key, fingerprint, owner, new_id, locked_until, expires_at
) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const FINISH = `UPDATE idempotency_keys SET answer_status = ?, answer_location = ?, answer_body = ?
  WHERE tenant_id = ? AND key = ? AND owner = ? AND answer_status IS NULL`;
const ABANDON = `DELETE FROM idempotency_keys
  WHERE tenant_id = ? AND key = ? AND owner = ? AND answer_status IS NULL`;
const TAKE_OVER = 'UPDATE idempotency_keys SET owner = ?, locked_until = ? WHERE tenant_id = ? AND key = ?';
