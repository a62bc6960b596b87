/**
 * The tables of the proxy: running pumps, the outcomes of creates that had a key, and attempts to call an upstream. A
 * pump's `stream_id` is the life of its stream, and `owner_id` the stream's id.
 */
import type { Schema } from './prepare-schema.js';

const TABLES = [
  'CREATE TABLE IF NOT EXISTS proxy_pumps (stream_id TEXT PRIMARY KEY, owner_id TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS proxy_creates (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    stream_id TEXT,
    status INTEGER,
    headers_json TEXT,
    body BLOB,
    digest TEXT,
    response TEXT,
    attempt INTEGER NOT NULL DEFAULT 1,
    repeatable INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS proxy_creates_expiry ON proxy_creates (expires_at)',
  `CREATE TABLE IF NOT EXISTS proxy_attempts (
    response TEXT NOT NULL,
    n INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    method TEXT NOT NULL,
    target TEXT NOT NULL,
    route TEXT,
    started_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    head_at INTEGER,
    status INTEGER,
    outcome TEXT,
    error TEXT,
    bytes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (response, n)
  ) WITHOUT ROWID`,
];

/** The object of one response at the edge has few rows and needs none of them. */
const INDEXES = [
  'CREATE INDEX IF NOT EXISTS proxy_attempts_expiry ON proxy_attempts (expires_at)',
  'CREATE INDEX IF NOT EXISTS proxy_attempts_open ON proxy_attempts (response, n) WHERE outcome IS NULL',
  `CREATE INDEX IF NOT EXISTS proxy_attempts_headless ON proxy_attempts (tenant, started_at)
    WHERE outcome IS NOT NULL AND status IS NULL`,
];

export const PROXY_SCHEMA: Schema = { name: 'proxy', tables: TABLES, indexes: INDEXES, upgrades: [] };
