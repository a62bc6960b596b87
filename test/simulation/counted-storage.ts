/**
 * The storage of one object over a real SQLite, with counts of what the platform would bill: rows written, including
 * index entries, rows returned, and alarms set. `test/edge/billed-rows.test.ts` compares the counts of written rows
 * with workerd's.
 */
import Database from 'libsql';
import {
  type Index,
  indexEntries,
  readStatement,
  rowsOfSchemaChange,
  type WriteStatement,
} from './row-costs.js';

export interface StorageCounts {
  rowsWritten: number;
  rowsRead: number;
  alarmsSet: number;
}

type Param = string | number | null | ArrayBuffer | ArrayBufferView;
type Row = Record<string, unknown>;

interface IndexRow {
  readonly name: string;
  readonly origin: string;
  readonly partial: number;
}

/** How long it takes to confirm a commit. */
const SYNC_MS = 5;

export class CountedStorage {
  readonly counts: StorageCounts;
  readonly #onAlarm: (at: number | null) => void;
  #database = open();
  #alarm: number | null = null;
  #depth = 0;

  constructor(counts: StorageCounts, onAlarm: (at: number | null) => void) {
    this.counts = counts;
    this.#onAlarm = onAlarm;
  }

  readonly sql = {
    exec: (sql: string, ...params: Param[]) => {
      const rows = this.#execute(sql, params.map(bound));
      return { toArray: () => rows };
    },
  };

  get alarm(): number | null {
    return this.#alarm;
  }

  transactionSync<T>(work: () => T): T {
    const name = `s${this.#depth++}`;
    this.#database.exec(`SAVEPOINT ${name}`);
    try {
      const result = work();
      this.#database.exec(`RELEASE ${name}`);
      return result;
    } catch (error) {
      this.#database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      this.#depth--;
    }
  }

  sync(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, SYNC_MS));
  }

  async getAlarm(): Promise<number | null> {
    return this.#alarm;
  }

  async setAlarm(at: number): Promise<void> {
    this.counts.alarmsSet++;
    this.counts.rowsWritten++;
    this.#arm(at);
  }

  async deleteAlarm(): Promise<void> {
    this.counts.rowsWritten++;
    this.#arm(null);
  }

  async deleteAll(): Promise<void> {
    this.counts.rowsWritten++;
    this.#database.close();
    this.#database = open();
    this.#arm(null);
  }

  /** Called when the alarm fires; it is no longer set then. */
  alarmFired(): void {
    this.#alarm = null;
  }

  close(): void {
    this.#database.close();
  }

  #arm(at: number | null): void {
    this.#alarm = at;
    this.#onAlarm(at);
  }

  #execute(sql: string, params: readonly unknown[]): Row[] {
    const statement = readStatement(sql);
    const before = statement && this.#readIndexes(statement);
    const version = this.#one('PRAGMA schema_version');
    const changes = this.#one('SELECT total_changes()');
    const prepared = this.#database.prepare(sql);
    const rows = prepared.reader ? (prepared.all(params) as Row[]) : [];
    if (!prepared.reader) prepared.run(params);
    this.counts.rowsRead += rows.length;
    if (this.#one('PRAGMA schema_version') !== version) this.counts.rowsWritten += rowsOfSchemaChange(sql);
    const changed = this.#one('SELECT total_changes()') - changes;
    // Triggers write rows too, but the entries of the statement's own indexes follow from its own rows.
    const direct = Math.min(changed, this.#one('SELECT changes()'));
    if (statement && before && changed > 0) {
      this.counts.rowsWritten +=
        changed + indexEntries(statement, { changed: direct, before, after: this.#readIndexes(statement) });
    }
    return rows.map((row) => mapValues(row, returned));
  }

  /** Returns the indexes of a statement's table with their number of entries. */
  #readIndexes({ table }: WriteStatement): readonly Index[] {
    const definition = this.#database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').get([table]) as
      | { sql: string }
      | undefined;
    const keyIsTable = /WITHOUT ROWID\s*$/i.test(definition?.sql ?? '');
    const list = this.#database.prepare(`PRAGMA index_list(${table})`).all([]) as IndexRow[];
    return list
      .filter(({ origin }) => !(keyIsTable && origin === 'pk'))
      .map(({ name, partial }) => this.#index(table, name, partial === 1));
  }

  #index(table: string, name: string, isPartial: boolean): Index {
    const info = this.#database.prepare(`PRAGMA index_info(${name})`).all([]) as { name: string }[];
    const columns = info.map((column) => column.name);
    const { sql } = this.#database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').get([name]) as {
      sql: string | null;
    };
    const predicate = isPartial ? (/\bWHERE\b([\s\S]*)$/i.exec(sql ?? '')?.[1] ?? '1') : '1';
    const all = this.#database
      .prepare(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${predicate} ORDER BY ${columns.join(', ')}`)
      .all([]);
    return { columns, isPartial, predicate, entries: all.length, content: JSON.stringify(all) };
  }

  #one(sql: string): number {
    return Number(Object.values(this.#database.prepare(sql).get([]) as Row)[0]);
  }
}

function open(): Database.Database {
  const database = new Database(':memory:');
  database.exec('PRAGMA foreign_keys = ON');
  return database;
}

function bound(value: Param): unknown {
  return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

/** Returns blobs in the platform's type. */
function returned(value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
}

function mapValues(row: Row, change: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
}
