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

interface KnownIndex extends Omit<Index, 'entries' | 'content'> {
  /** Selects its entries. */
  readonly all: string;
}

/** How long it takes to confirm a commit. */
const SYNC_MS = 5;

export class CountedStorage {
  readonly counts: StorageCounts;
  readonly #onAlarm: (at: number | null) => void;
  #database = open();
  /** Valid until the schema changes. */
  readonly #prepared = new Map<string, Database.Statement>();
  readonly #indexes = new Map<string, readonly KnownIndex[]>();
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
      this.#forget();
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
    this.#forget();
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
    if (statement) return this.#write(statement, sql, params);
    if (/^\s*SELECT\b/i.test(sql)) return this.#run(sql, params);
    const version = this.#numbers('PRAGMA schema_version')[0];
    const rows = this.#run(sql, params);
    if (this.#numbers('PRAGMA schema_version')[0] !== version) {
      this.counts.rowsWritten += rowsOfSchemaChange(sql);
      this.#forget();
    }
    return rows;
  }

  #write(statement: WriteStatement, sql: string, params: readonly unknown[]): Row[] {
    const before = this.#readIndexes(statement);
    const [changes = 0] = this.#numbers('SELECT total_changes()');
    const rows = this.#run(sql, params);
    const [total = 0, own = 0] = this.#numbers('SELECT total_changes(), changes()');
    const changed = total - changes;
    // Triggers write rows too, but the entries of the statement's own indexes follow from its own rows.
    const direct = Math.min(changed, own);
    if (changed > 0) {
      this.counts.rowsWritten +=
        changed + indexEntries(statement, { changed: direct, before, after: this.#readIndexes(statement) });
    }
    return rows;
  }

  #run(sql: string, params: readonly unknown[]): Row[] {
    const prepared = this.#prepare(sql);
    const rows = prepared.reader ? (prepared.all(params) as Row[]) : [];
    if (!prepared.reader) prepared.run(params);
    this.counts.rowsRead += rows.length;
    return rows.map((row) => mapValues(row, returned));
  }

  /** Returns the indexes of a statement's table with their number of entries. */
  #readIndexes({ table }: WriteStatement): readonly Index[] {
    const known = this.#indexes.get(table) ?? this.#indexesOf(table);
    this.#indexes.set(table, known);
    return known.map(({ all, ...index }) => {
      const entries = this.#prepare(all).all([]);
      return { ...index, entries: entries.length, content: JSON.stringify(entries) };
    });
  }

  #indexesOf(table: string): readonly KnownIndex[] {
    const definition = this.#prepare('SELECT sql FROM sqlite_master WHERE name = ?').all([table])[0] as
      | { sql: string }
      | undefined;
    const keyIsTable = /WITHOUT ROWID\s*$/i.test(definition?.sql ?? '');
    const list = this.#prepare(`PRAGMA index_list(${table})`).all([]) as IndexRow[];
    return list
      .filter(({ origin }) => !(keyIsTable && origin === 'pk'))
      .map(({ name, partial }) => this.#index(table, name, partial === 1));
  }

  #index(table: string, name: string, isPartial: boolean): KnownIndex {
    const info = this.#prepare(`PRAGMA index_info(${name})`).all([]) as { name: string }[];
    const columns = info.map((column) => column.name);
    const [{ sql }] = this.#prepare('SELECT sql FROM sqlite_master WHERE name = ?').all([name]) as [
      { sql: string | null },
    ];
    const predicate = isPartial ? (/\bWHERE\b([\s\S]*)$/i.exec(sql ?? '')?.[1] ?? '1') : '1';
    const all = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${predicate} ORDER BY ${columns.join(', ')}`;
    return { columns, isPartial, predicate, all };
  }

  #numbers(sql: string): readonly number[] {
    return Object.values(this.#prepare(sql).all([])[0] as Row).map(Number);
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }

  #forget(): void {
    this.#prepared.clear();
    this.#indexes.clear();
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
