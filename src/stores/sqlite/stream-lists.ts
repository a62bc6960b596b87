/**
 * Lists streams in pages: newest first by the index of collections, or by id for a prefix. A page reads a bounded
 * number of rows, so its cost does not grow with the list. A filter is either indexed or applied to the rows that were
 * read, so a page can end before it is full.
 */
import type {
  ListedStream,
  StreamListPage,
  StreamListPosition,
  StreamListQuery,
} from '../../streams/index.js';
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js';

/** Rows that one page reads if a filter is not indexed. */
export const SCANNED_MAX = 2_000;

type ReadRow = (row: SqlRow) => ListedStream;

/** One range of an index, in the order of the list. */
interface Range {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

export class StreamLists {
  readonly #database: SqlDatabase;
  readonly #table: string;

  /** The table has the columns `stream_id`, `collection`, `closed`, `deleted`, `created_at` and `outcome`. */
  constructor(database: SqlDatabase, table: string) {
    this.#database = database;
    this.#table = table;
  }

  page(query: StreamListQuery, read: ReadRow): StreamListPage {
    if (query.id !== undefined) return this.#one(query.id, query, read);
    return query.idPrefix === undefined ? this.#newestFirst(query, read) : this.#byId(query, read);
  }

  #one(id: string, query: StreamListQuery, read: ReadRow): StreamListPage {
    const sql = `SELECT * FROM ${this.#table} WHERE stream_id = ? AND deleted = 0`;
    const rows = this.#database.all(sql, [id]);
    const listed = rows.filter((row) => query.collections.includes(String(row['collection'])));
    return { streams: listed.map(read).filter((stream) => matches(stream, query)), next: null };
  }

  #newestFirst(query: StreamListQuery, read: ReadRow): StreamListPage {
    const { text, statusClass, route } = query;
    const isIndexed = text === undefined && statusClass === undefined && route === undefined;
    const rowsMax = isIndexed ? query.limit + 1 : SCANNED_MAX;
    const lists = rangesOf(this.#table, query).map(({ sql, params }) =>
      this.#database.all(sql, [...params, rowsMax]).map(read),
    );
    // After the newest position at which a range was cut off, the merged list is incomplete.
    const cuts = lists.filter((rows) => rows.length === rowsMax).map((rows) => rows.at(-1) as ListedStream);
    const [cut] = cuts.sort(newestFirst);
    const complete = lists.flat().filter((stream) => !cut || newestFirst(stream, cut) <= 0);
    const found = complete.sort(newestFirst).filter((stream) => matches(stream, query));
    return pageOf(found, query.limit, cut);
  }

  #byId({ idPrefix = '', after, limit, ...query }: StreamListQuery, read: ReadRow): StreamListPage {
    const sql = `SELECT * FROM ${this.#table}
      WHERE stream_id >= ? AND stream_id < ? AND stream_id > ? AND deleted = 0 ORDER BY stream_id LIMIT ?`;
    const params = [idPrefix, `${idPrefix}\uffff`, after?.id ?? '', SCANNED_MAX];
    const rows = this.#database.all(sql, params).map(read);
    const found = rows.filter((stream) => matches(stream, query));
    return pageOf(found, limit, rows.length === SCANNED_MAX ? rows.at(-1) : undefined);
  }
}

function pageOf(
  found: readonly ListedStream[],
  limit: number,
  cut: ListedStream | undefined,
): StreamListPage {
  const streams = found.slice(0, limit);
  const last = found.length > limit ? streams.at(-1) : cut;
  return { streams, next: last ? { createdAt: last.createdAt, id: last.id } : null };
}

export function rangesOf(table: string, query: StreamListQuery): Range[] {
  const { collections, closed, outcome, after } = query;
  const before = after ? ' AND (created_at, stream_id) < (?, ?)' : '';
  const position = after ? [after.createdAt, after.id] : [];
  const range = (condition: string, params: readonly SqlValue[]): Range => ({
    sql: `SELECT * FROM ${table} WHERE deleted = 0 AND collection = ? AND ${condition}${before}
      ORDER BY created_at DESC, stream_id DESC LIMIT ?`,
    params: [...params, ...position],
  });
  return collections.flatMap((collection) => {
    if (outcome !== undefined) return [range('outcome = ?', [collection, outcome])];
    const states = closed === undefined ? [0, 1] : [closed ? 1 : 0];
    return states.map((state) => range('closed = ?', [collection, state]));
  });
}

function newestFirst(a: StreamListPosition, b: StreamListPosition): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

function matches(
  { id, closed, metadata }: ListedStream,
  query: Pick<StreamListQuery, 'closed' | 'outcome' | 'text' | 'statusClass' | 'route'>,
): boolean {
  const fields = metadata === null ? {} : (JSON.parse(metadata) as Readonly<Record<string, unknown>>);
  if (query.closed !== undefined && query.closed !== closed) return false;
  if (query.outcome !== undefined && query.outcome !== fields['outcome']) return false;
  if (query.route !== undefined && query.route !== fields['route']) return false;
  if (query.statusClass !== undefined && query.statusClass !== classOf(fields['upstream_status']))
    return false;
  if (query.text === undefined) return true;
  const name = id.startsWith('stream/') ? id.slice(id.indexOf('/', 7) + 1) : id.slice(id.indexOf('/') + 1);
  const shown = [name, fields['upstream_url'], fields['route']].filter((part) => part !== undefined);
  return shown.join('\n').toLowerCase().includes(query.text);
}

function classOf(status: unknown): number | null {
  return typeof status === 'number' ? Math.floor(status / 100) : null;
}
