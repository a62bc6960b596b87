/**
 * The lists of a tenant's streams and proxied responses. Each stream's object reports its creation, closure and
 * removal. What an append changes is read from the stream's object when a page contains an open stream.
 */
import type { SqlDatabase, SqlRow } from '../../../stores/sqlite/sql-database.js';
import { StreamLists } from '../../../stores/sqlite/stream-lists.js';
import type { ListedStream, StreamListPage, StreamListQuery } from '../../../streams/index.js';

export interface ReportedStream extends ListedStream {
  readonly collection: string;
}

const EXPIRED_MAX = 20;

export class ListedStreams {
  readonly #database: SqlDatabase;
  readonly #lists: StreamLists;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#lists = new StreamLists(database, 'listed_streams');
    for (const statement of TABLES) database.run(statement, []);
  }

  /** `stream` is undefined if it was removed. Writes only if a field changed that lists are sorted or filtered by. */
  note(id: string, stream: ReportedStream | undefined): void {
    const [known] = this.#database.all('SELECT closed, created_at FROM listed_streams WHERE stream_id = ?', [
      id,
    ]);
    if (!stream) {
      if (known) this.#database.run('DELETE FROM listed_streams WHERE stream_id = ?', [id]);
      return;
    }
    const closed = stream.closed ? 1 : 0;
    if (known && known['closed'] === closed && known['created_at'] === stream.createdAt) return;
    const { collection, createdAt, metadata } = stream;
    const { outcome = null } = JSON.parse(metadata ?? '{}') as { outcome?: string };
    const expiresAt = stream.ttlSeconds === null ? stream.expiresAt : null;
    this.#database.run(UPSERT, [
      id,
      collection,
      closed,
      createdAt,
      outcome,
      expiresAt,
      JSON.stringify(stream),
    ]);
    if (!known) this.#database.run(DELETE_EXPIRED, [collection, EXPIRED_MAX, Date.now()]);
  }

  page(query: StreamListQuery): StreamListPage {
    return this.#lists.page(query, readRow);
  }
}

function readRow(row: SqlRow): ListedStream {
  return JSON.parse(String(row['stream'])) as ListedStream;
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS listed_streams (
    stream_id TEXT PRIMARY KEY, collection TEXT NOT NULL, closed INTEGER NOT NULL, created_at INTEGER NOT NULL,
    outcome TEXT, expires_at INTEGER, stream TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS listed_streams_newest
    ON listed_streams (collection, closed, created_at, stream_id) WHERE deleted = 0`,
  `CREATE INDEX IF NOT EXISTS listed_streams_ended
    ON listed_streams (collection, outcome, created_at, stream_id) WHERE deleted = 0 AND outcome IS NOT NULL`,
  // Each index is a billed row per stream. Expired rows are found among the oldest ones instead.
  'DROP INDEX IF EXISTS listed_streams_expiry',
];
const UPSERT = `INSERT INTO listed_streams
  (stream_id, collection, closed, created_at, outcome, expires_at, stream) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (stream_id) DO UPDATE SET collection = excluded.collection, closed = excluded.closed,
    created_at = excluded.created_at, outcome = excluded.outcome, expires_at = excluded.expires_at,
    stream = excluded.stream`;
const DELETE_EXPIRED = `DELETE FROM listed_streams WHERE stream_id IN
  (SELECT stream_id FROM (SELECT stream_id, expires_at FROM listed_streams
    WHERE collection = ? AND closed = 1 AND deleted = 0 ORDER BY created_at LIMIT ?) WHERE expires_at <= ?)`;
