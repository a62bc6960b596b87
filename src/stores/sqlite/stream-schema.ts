/**
 * The tables of streams. `streams` has one row per stream. `chunks` holds hot records, one row per append or several
 * for a long one (`record-rows.ts`). `sealed_chunks` has one row per full chunk. Data that would overflow its page is
 * stored in `long_data`, and the row has its number, because SQLite compares whole rows to find a key in `chunks`, and
 * would read the data of every row on the way.
 *
 * `streams` is keyed by the stream's id. In every other table `stream_id` and `fork_id` are lives, and `owner_id` is the
 * id that belongs to one.
 *
 * `collection` names the list that a stream is in (`stream/{tenant}`, `proxy/{tenant}`). `expiry_check_at` is when the
 * sweep checks a stream that may expire. It is not later than the stream's end, and only the sweep moves it, so that
 * using a stream touches no index. `stream_totals` has the totals of each tenant.
 */
import type { Schema } from './prepare-schema.js';

const OUTCOME = "CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.outcome') END";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS streams (
    stream_id TEXT PRIMARY KEY,
    stream_hash TEXT NOT NULL,
    content_type TEXT NOT NULL,
    current_chunk_seq INTEGER NOT NULL,
    chunk_bytes INTEGER NOT NULL,
    chunk_start INTEGER NOT NULL,
    total_bytes INTEGER NOT NULL,
    write_units INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    accessed_at INTEGER NOT NULL,
    ttl_seconds INTEGER,
    stream_expires_at TEXT,
    closed INTEGER NOT NULL,
    created_closed INTEGER NOT NULL,
    closed_by TEXT,
    last_seq TEXT,
    deleted INTEGER NOT NULL,
    ancestors TEXT NOT NULL,
    corrupt_chunk INTEGER,
    corrupt_position INTEGER,
    metadata TEXT,
    life TEXT NOT NULL,
    collection TEXT,
    appended_at INTEGER,
    expiry_check_at INTEGER,
    upstream_content_type TEXT GENERATED ALWAYS AS (
      CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.upstream_content_type') END
    ) VIRTUAL,
    outcome TEXT GENERATED ALWAYS AS (${OUTCOME}) VIRTUAL
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS chunks (
    stream_id TEXT NOT NULL,
    chunk_seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL,
    arrived_at INTEGER,
    PRIMARY KEY (stream_id, chunk_seq, position)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS long_data (
    number INTEGER PRIMARY KEY,
    data BLOB NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS sealed_chunks (
    stream_id TEXT NOT NULL,
    chunk_seq INTEGER NOT NULL,
    start_position INTEGER NOT NULL,
    end_position INTEGER NOT NULL,
    base_bytes INTEGER NOT NULL,
    cold INTEGER NOT NULL,
    owner_id TEXT NOT NULL,
    PRIMARY KEY (stream_id, chunk_seq)
  ) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS sealed_chunks_hot ON sealed_chunks (stream_id, chunk_seq) WHERE cold = 0`,
  `CREATE TABLE IF NOT EXISTS producers (
    stream_id TEXT NOT NULL,
    producer_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (stream_id, producer_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS stream_forks (
    stream_id TEXT NOT NULL,
    fork_id TEXT NOT NULL,
    fork_owner_id TEXT NOT NULL,
    announced_at INTEGER NOT NULL,
    PRIMARY KEY (stream_id, fork_id)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS stream_totals (
    tenant TEXT PRIMARY KEY,
    open INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) WITHOUT ROWID`,
];

/** For lists and sweeps. `closed` and `outcome` change only once per stream, so an append touches no index. */
const INDEXES = [
  `CREATE INDEX IF NOT EXISTS streams_listed ON streams (collection, closed, created_at, stream_id)
    WHERE deleted = 0`,
  `CREATE INDEX IF NOT EXISTS streams_ended ON streams (collection, outcome, created_at, stream_id)
    WHERE deleted = 0 AND outcome IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS streams_expiring ON streams (expiry_check_at)
    WHERE expiry_check_at IS NOT NULL`,
  'CREATE INDEX IF NOT EXISTS streams_deleted ON streams (stream_id) WHERE deleted = 1',
  'CREATE INDEX IF NOT EXISTS streams_damaged ON streams (stream_id) WHERE corrupt_chunk IS NOT NULL',
];

export const STREAM_SCHEMA: Schema = { name: 'stream', tables: TABLES, indexes: INDEXES, upgrades: [] };
