/**
 * The tables of the proxy: running pumps, and the outcomes of creates that had a key. A pump's `stream_id` is the life
 * of its stream. In rows without `owner_id`, from before lives existed, it is the stream's id.
 */
import type { Schema } from './prepare-schema.js';

const TABLES = [
  'CREATE TABLE IF NOT EXISTS proxy_pumps (stream_id TEXT PRIMARY KEY, owner_id TEXT) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS proxy_creates (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    stream_id TEXT,
    status INTEGER,
    headers_json TEXT,
    body BLOB
  ) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS proxy_creates_expiry ON proxy_creates (expires_at)',
];

export const PROXY_SCHEMA: Schema = {
  name: 'proxy',
  version: 2,
  since: 1,
  tables: TABLES,
  upgrades: { 2: ['ALTER TABLE proxy_pumps ADD COLUMN owner_id TEXT'] },
};
