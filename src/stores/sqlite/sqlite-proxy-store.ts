/**
 * The proxy's store over SQLite: synchronous code for a thread that may block, in the same file and the same
 * transactions as streams. It has no state in memory.
 */
import type { CreateRecord, CreateResult, KeyedCreate } from '../../proxy/index.js';
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

  pumpEnded({ life }: StreamKey): void {
    this.#database.run('DELETE FROM proxy_pumps WHERE stream_id = ?', [life]);
  }

  pumps(after: string, limit: number): readonly StreamKey[] {
    return this.#database
      .all('SELECT * FROM proxy_pumps WHERE stream_id > ? ORDER BY stream_id LIMIT ?', [after, limit])
      .map((row) => ({
        id: String(row['owner_id'] ?? row['stream_id']),
        life: String(row['stream_id']),
      }));
  }

  findCreate(key: string, now: number): CreateRecord | undefined {
    const [row] = this.#database.all('SELECT * FROM proxy_creates WHERE key = ? AND expires_at > ?', [
      key,
      now,
    ]);
    return row && { fingerprint: String(row['fingerprint']), result: resultOf(row) };
  }

  beginCreate({ key, fingerprint, now, expiresAt }: KeyedCreate): CreateRecord | undefined {
    const known = this.findCreate(key, now);
    if (known) return known;
    this.#database.run(
      'INSERT OR REPLACE INTO proxy_creates (key, fingerprint, expires_at) VALUES (?, ?, ?)',
      [key, fingerprint, expiresAt],
    );
    return undefined;
  }

  endCreate(key: string, result: CreateResult, fingerprint?: string): void {
    const columns =
      result.kind === 'stream'
        ? [result.id, null, null, null]
        : [null, result.status, JSON.stringify(result.headers), result.body];
    this.#database.run(
      `UPDATE proxy_creates SET stream_id = ?, status = ?, headers_json = ?, body = ?,
        fingerprint = coalesce(?, fingerprint) WHERE key = ?`,
      [...columns, fingerprint ?? null, key],
    );
  }

  dropCreate(key: string): void {
    this.#database.run('DELETE FROM proxy_creates WHERE key = ?', [key]);
  }

  sweepCreates(now: number, limit: number): number {
    return this.#database.all(DELETE_EXPIRED, [now, limit]).length;
  }
}

const DELETE_EXPIRED = `DELETE FROM proxy_creates WHERE key IN (
  SELECT key FROM proxy_creates WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
) RETURNING 1 AS gone`;

function resultOf(row: SqlRow): CreateResult | null {
  if (row['stream_id'] !== null) return { kind: 'stream', id: String(row['stream_id']) };
  if (row['status'] === null) return null;
  return {
    kind: 'refused',
    status: Number(row['status']),
    headers: JSON.parse(String(row['headers_json'])) as Record<string, string>,
    body: row['body'] as Uint8Array,
  };
}
