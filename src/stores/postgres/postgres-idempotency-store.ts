/** Idempotency keys and their stored responses, on PostgreSQL. */
import type {
  IdempotencyOutcome,
  IdempotencyOwner,
  IdempotencyRequest,
  IdempotencyStore,
  StoredResponse,
} from '../../jobs/index.js';
import { textOrNull } from '../portable/sql-work.js';
import { storableText } from '../storable.js';
import { MAINTENANCE, type PgDatabase } from './pg-database.js';
import * as sql from './sql/idempotency-keys.js';

export class PostgresIdempotencyStore implements IdempotencyStore {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  async begin(request: IdempotencyRequest): Promise<IdempotencyOutcome> {
    const { tenantId, key, fingerprint, owner, newId, inFlightMs, keepMs, keysMax } = request;
    // A key is never lost to a wrong clock.
    const mayReplace = this.#database.time.isTrusted();
    const params = [tenantId, key, fingerprint, owner, newId, inFlightMs, keepMs, keysMax, mayReplace];
    const [begun] = await this.#database.query(sql.BEGIN_KEY, params);
    if (begun) return { kind: 'begun', id: String(begun['new_id']) };
    const [row] = await this.#database.query(sql.SELECT_KEY, [tenantId, key, mayReplace]);
    if (!row) return { kind: 'full' };
    if (row['fingerprint'] !== fingerprint) return { kind: 'mismatch' };
    if (row['answer_status'] === null) return { kind: 'in_flight' };
    return {
      kind: 'replayed',
      response: {
        status: Number(row['answer_status']),
        location: textOrNull(row['answer_location']),
        body: String(row['answer_body']),
      },
    };
  }

  async finish({ tenantId, key, owner }: IdempotencyOwner, { status, location, body }: StoredResponse) {
    await this.#database.query(sql.FINISH_KEY, [tenantId, key, owner, status, location, storableText(body)]);
  }

  async abandon({ tenantId, key, owner }: IdempotencyOwner) {
    await this.#database.query(sql.ABANDON_KEY, [tenantId, key, owner]);
  }

  async prune(limit: number) {
    const { time } = this.#database;
    return this.#database.transaction(async (queries) => {
      if ((await time.mayDestroy(queries)) === undefined) return 0;
      return (await queries.query(sql.PRUNE_KEYS, [limit])).length;
    }, MAINTENANCE);
  }
}
