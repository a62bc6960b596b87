/**
 * The proxy's store over SQLite: synchronous code for a thread that may block, in the same file and the same
 * transactions as streams. It has no state in memory.
 */
import type {
  Attempt,
  AttemptKey,
  AttemptProgress,
  CreateEnd,
  CreateRecord,
  CreateResult,
  KeyedCreate,
  NewAttempt,
} from '../../proxy/index.js';
import type { StreamKey } from '../../streams/index.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import { PROXY_SCHEMA } from './proxy-schema.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';

export class SqliteProxyStore {
  readonly #database: SqlDatabase;

  /** `schema` is for a host that creates some tables later. */
  constructor(database: SqlDatabase, schema: Schema = PROXY_SCHEMA) {
    this.#database = database;
    prepareSchema(database, schema);
  }

  pumpStarted({ id, life }: StreamKey): void {
    this.#database.run('INSERT OR IGNORE INTO proxy_pumps (stream_id, owner_id) VALUES (?, ?)', [life, id]);
  }

  pumpEnded({ life }: StreamKey, attempt?: AttemptProgress): void {
    this.#database.run('DELETE FROM proxy_pumps WHERE stream_id = ?', [life]);
    if (attempt) this.attemptProgressed(attempt);
  }

  pumps(after: string, limit: number): readonly StreamKey[] {
    return this.#database
      .all('SELECT * FROM proxy_pumps WHERE stream_id > ? ORDER BY stream_id LIMIT ?', [after, limit])
      .map((row) => ({
        id: String(row['owner_id']),
        life: String(row['stream_id']),
      }));
  }

  findCreate(key: string, now: number): CreateRecord | undefined {
    const [row] = this.#database.all('SELECT * FROM proxy_creates WHERE key = ? AND expires_at > ?', [
      key,
      now,
    ]);
    return row && recordOf(row);
  }

  beginCreate({ key, fingerprint, now, expiresAt, attempt }: KeyedCreate): CreateRecord | undefined {
    const { response = null, n = 1 } = attempt ?? {};
    const known = this.findCreate(key, now);
    if (known && !(n === known.attempt + 1 && known.result)) return known;
    this.#database.run(
      `INSERT OR REPLACE INTO proxy_creates (key, fingerprint, expires_at, digest, response, attempt)
        VALUES (?, ?, ?, ?, ?, ?)`,
      [key, fingerprint, expiresAt, known?.digest ?? null, response, n],
    );
    if (attempt) this.attemptStarted(attempt);
    return undefined;
  }

  endCreate(key: string, { result, digest, attempt }: CreateEnd): void {
    const columns =
      result.kind === 'stream'
        ? [result.id, null, null, null, 0]
        : [null, result.status, JSON.stringify(result.headers), result.body, result.repeatable ? 1 : 0];
    this.#database.run(
      `UPDATE proxy_creates SET stream_id = ?, status = ?, headers_json = ?, body = ?, repeatable = ?,
        digest = coalesce(?, digest) WHERE key = ?`,
      [...columns, digest ?? null, key],
    );
    if (attempt) this.attemptProgressed(attempt);
  }

  dropCreate(key: string, attempt?: AttemptKey, previous?: CreateResult): void {
    if (attempt) this.#database.run(DELETE_ATTEMPT, [attempt.response, attempt.n]);
    if (!previous) return this.#database.run('DELETE FROM proxy_creates WHERE key = ?', [key]);
    this.#database.run('UPDATE proxy_creates SET attempt = attempt - 1 WHERE key = ?', [key]);
    this.endCreate(key, { result: previous });
  }

  attemptStarted({ response, n, ...attempt }: NewAttempt, progress?: AttemptProgress): void {
    const { tenant, method, target, route, startedAt, expiresAt } = attempt;
    this.#database.run(
      `INSERT OR REPLACE INTO proxy_attempts
        (response, n, tenant, method, target, route, started_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [response, n, tenant, method, target, route, startedAt, expiresAt],
    );
    if (progress) this.attemptProgressed(progress);
    if (n > ATTEMPTS_KEPT) this.#database.run(DELETE_ATTEMPT, [response, n - ATTEMPTS_KEPT]);
  }

  attemptProgressed({ response, n, ...attempt }: AttemptProgress): void {
    const { headAt = null, status = null, outcome = null, error = null, bytes = null } = attempt;
    this.#database.run(
      `UPDATE proxy_attempts SET head_at = coalesce(?, head_at), status = coalesce(?, status),
        outcome = coalesce(?, outcome), error = coalesce(?, error), bytes = coalesce(?, bytes)
        WHERE response = ? AND n = ?`,
      [headAt, status, outcome, error, bytes, response, n],
    );
  }

  attempts(response: string): readonly Attempt[] {
    return this.#database
      .all('SELECT * FROM proxy_attempts WHERE response = ? ORDER BY n', [response])
      .map(attemptOf);
  }

  dropAttempts(response: string): void {
    this.#database.run('DELETE FROM proxy_attempts WHERE response = ?', [response]);
  }

  openAttempts({ response, n }: AttemptKey, limit: number): readonly Attempt[] {
    return this.#database
      .all(
        `SELECT * FROM proxy_attempts WHERE outcome IS NULL AND (response, n) > (?, ?)
          ORDER BY response, n LIMIT ?`,
        [response, n, limit],
      )
      .map(attemptOf);
  }

  headlessBeyond(tenant: string, keep: number, limit: number): readonly string[] {
    return this.#database
      .all(
        `SELECT response FROM proxy_attempts WHERE tenant = ? AND outcome IS NOT NULL AND status IS NULL
          ORDER BY started_at DESC LIMIT ? OFFSET ?`,
        [tenant, limit, keep],
      )
      .map((row) => String(row['response']));
  }

  sweepCreates(now: number, limit: number): number {
    return (
      this.#database.all(DELETE_EXPIRED, [now, limit]).length +
      this.#database.all(DELETE_EXPIRED_ATTEMPTS, [now, limit]).length
    );
  }
}

/** The newest attempts of one response; older ones are deleted when another starts. */
export const ATTEMPTS_KEPT = 100;

const DELETE_ATTEMPT = 'DELETE FROM proxy_attempts WHERE response = ? AND n = ?';
const DELETE_EXPIRED = `DELETE FROM proxy_creates WHERE key IN (
  SELECT key FROM proxy_creates WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
) RETURNING 1 AS gone`;
const DELETE_EXPIRED_ATTEMPTS = `DELETE FROM proxy_attempts WHERE (response, n) IN (
  SELECT response, n FROM proxy_attempts WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
) RETURNING 1 AS gone`;

function recordOf(row: SqlRow): CreateRecord {
  return {
    fingerprint: String(row['fingerprint']),
    digest: row['digest'] as string | null,
    result: resultOf(row),
    response: row['response'] as string | null,
    attempt: Number(row['attempt']),
  };
}

function resultOf(row: SqlRow): CreateResult | null {
  if (row['stream_id'] !== null) return { kind: 'stream', id: String(row['stream_id']) };
  if (row['status'] === null) return null;
  return {
    kind: 'refused',
    status: Number(row['status']),
    headers: JSON.parse(String(row['headers_json'])) as Record<string, string>,
    body: row['body'] as Uint8Array,
    ...(row['repeatable'] === 1 && { repeatable: true }),
  };
}

function attemptOf(row: SqlRow): Attempt {
  return {
    response: String(row['response']),
    n: Number(row['n']),
    tenant: String(row['tenant']),
    method: String(row['method']),
    target: String(row['target']),
    route: row['route'] as string | null,
    startedAt: Number(row['started_at']),
    expiresAt: Number(row['expires_at']),
    headAt: row['head_at'] as number | null,
    status: row['status'] as number | null,
    outcome: row['outcome'] as Attempt['outcome'],
    error: row['error'] as Attempt['error'],
    bytes: Number(row['bytes']),
  };
}
