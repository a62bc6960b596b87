/**
 * Opens a SQLite file for the stores: with `node:sqlite` if this Node has it, otherwise with `libsql`. It is durable:
 * WAL with `synchronous=FULL`, so a commit is synced when it returns. Unless it is shared, the file is locked for this
 * process, because the stream store caches rows in memory.
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SondeError } from '../../../errors.js';
import type { SqlDatabase, SqlRow, SqlValue } from '../../../stores/sqlite/sql-database.js';
import { openFault } from './open-fault.js';
import { isFull } from './sqlite-faults.js';

export interface OpenDatabase extends SqlDatabase {
  begin(): void;
  /** After background work the log is checkpointed earlier, so that later commits need not do much of that. */
  commit(kind?: 'background'): void;
  rollback(): void;
  /** Checkpoints the log into the file, which then does not change until `thaw`. Writes go to the log. */
  freeze(): void;
  thaw(): void;
  /** The number of unused pages; 0 if they cannot be returned without rewriting the file. */
  unusedPages(): number;
  /** Returns this many unused pages, by moving the end of the file into them. */
  giveBack(pages: number): void;
  /** Checkpoints the part of the log that has no readers. */
  checkpoint(): void;
  /** Rewrites the file without unused pages. Takes time and disk space in proportion to its size. */
  compact(): void;
  close(): void;
}

interface Statement {
  all(params: readonly SqlValue[]): readonly SqlRow[];
  run(params: readonly SqlValue[]): void;
}

interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** A little more than the size of the log between two checkpoints. */
const LOG_BYTES = 4.5 * 1024 * 1024;
/**
 * The number of pages in the log at which a commit checkpoints them. Small appends write the same pages repeatedly, so
 * a longer log means less work in total. Background writes are checkpointed in any case, and in small parts they block
 * the file only for a few milliseconds each.
 */
const LOG_PAGES = 1000;
const LOG_PAGES_OF_BACKGROUND = 250;
/** No automatic checkpoints. */
const FROZEN = 0;
const checkpointAt = (pages: number) => `PRAGMA wal_autocheckpoint = ${pages}`;
const SETTINGS = [
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA cache_size = -16384',
  checkpointAt(LOG_PAGES),
  'PRAGMA mmap_size = 67108864',
  // Truncates the log after a large transaction, when it starts over.
  `PRAGMA journal_size_limit = ${LOG_BYTES}`,
];
/** Set before the log is opened: then its index needs no file, for which a full disk would have no space. */
const EXCLUSIVE = 'PRAGMA locking_mode = EXCLUSIVE';
/** Lets unused pages be returned. Takes effect only on a new file; an older one gets it by `compact`. */
const TRIMMABLE = 'PRAGMA auto_vacuum = INCREMENTAL';
const IS_TRIMMABLE = 2;
/** How long a write waits for another process that has the file open too. */
const BUSY_TIMEOUT = 'PRAGMA busy_timeout = 5000';

export interface OpenOptions {
  /** Another process may write to the same file. The stores must not cache rows in memory. */
  readonly shared?: boolean;
  /** Throws if the file must be left unchanged. Called before anything is written to it. */
  readonly refuse?: (database: SqlDatabase) => void;
}

export function openDatabase(path: string, options: OpenOptions = {}): OpenDatabase {
  try {
    return open(path, options);
  } catch (error) {
    throw openFault(path, error);
  }
}

function open(path: string, { shared = false, refuse }: OpenOptions): OpenDatabase {
  restrictToOwner(path);
  const driver = openNodeSqlite(path) ?? openLibsql(path);
  try {
    driver.prepare(shared ? BUSY_TIMEOUT : EXCLUSIVE).all([]);
    unlessFull(() => driver.exec(TRIMMABLE));
    useLog(driver);
    for (const setting of SETTINGS) driver.prepare(setting).all([]);
    // The first write takes the exclusive lock, not the setting.
    if (!shared) driver.exec('BEGIN IMMEDIATE; COMMIT');
    refuse?.(wrap(driver));
    if (!shared) preallocateLog(driver);
    return wrap(driver);
  } catch (error) {
    driver.close();
    throw error;
  }
}

/** On a full disk SQLite has rolled back the whole transaction, so this fails; the caller throws the first error. */
function undoTo(driver: Driver, savepoint: string): void {
  try {
    driver.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
  } catch {
    return;
  }
}

/**
 * Sets mode 0600 regardless of the umask, also for files of earlier versions. SQLite gives the log the mode of its
 * database. If this fails, the file cannot be opened either, or it belongs to another user, who controls its mode.
 */
function restrictToOwner(path: string): void {
  if (path === ':memory:') return;
  try {
    closeSync(openSync(path, 'a', OWNER_ONLY));
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      if (existsSync(file)) chmodSync(file, OWNER_ONLY);
  } catch {
    return;
  }
}

const OWNER_ONLY = 0o600;

/** On a file system without shared memory or locks, SQLite keeps the old mode and returns its name without an error. */
function useLog(driver: Driver): void {
  const [row] = driver.prepare('PRAGMA journal_mode = WAL').all([]);
  const mode = String(Object.values(row ?? {})[0]);
  if (mode === 'wal' || mode === 'memory') return;
  throw new SondeError(
    'STORAGE_UNAVAILABLE',
    `the file system does not support a write-ahead log (journal mode "${mode}"); use a local disk`,
  );
}

/**
 * Extends the write-ahead log to its full length once. A sync of a growing file must also write its new length. When
 * the log is only overwritten, commits are half as fast again (docs/decisions/streams.md, 0003).
 */
function preallocateLog(driver: Driver): void {
  const isDone = unlessFull(() => {
    driver.exec('CREATE TABLE IF NOT EXISTS log_layout (filler BLOB)');
    driver.exec(
      `BEGIN; INSERT INTO log_layout VALUES (zeroblob(${LOG_BYTES})); DELETE FROM log_layout; COMMIT`,
    );
    driver.prepare('PRAGMA wal_checkpoint(RESTART)').all([]);
  });
  if (!isDone) rollback(driver);
}

/** On a full disk existing data can still be read, and the first write reports the problem. */
function unlessFull(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isFull(error)) throw error;
    return false;
  }
}

function rollback(driver: Driver): void {
  try {
    driver.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back the transaction.
  }
}

function wrap(driver: Driver): OpenDatabase {
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = driver.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const pragma = (name: string) =>
    Number(Object.values(driver.prepare(`PRAGMA ${name}`).all([])[0] ?? {})[0]);
  let logPages = LOG_PAGES;
  const setLogPages = (pages: number) => {
    if (pages !== logPages) driver.prepare(checkpointAt(pages)).all([]);
    logPages = pages;
  };
  let depth = 0;
  return {
    all: (sql, params) => prepared(sql).all(params),
    run: (sql, params) => prepared(sql).run(params),
    transaction(work) {
      const name = `nested_${depth++}`;
      driver.exec(`SAVEPOINT ${name}`);
      try {
        const result = work();
        driver.exec(`RELEASE ${name}`);
        return result;
      } catch (error) {
        undoTo(driver, name);
        throw error;
      } finally {
        depth--;
      }
    },
    begin: () => prepared('BEGIN IMMEDIATE').run([]),
    commit(kind) {
      if (logPages !== FROZEN) setLogPages(kind === 'background' ? LOG_PAGES_OF_BACKGROUND : LOG_PAGES);
      prepared('COMMIT').run([]);
    },
    rollback: () => prepared('ROLLBACK').run([]),
    freeze() {
      setLogPages(FROZEN);
      const [row] = driver.prepare('PRAGMA wal_checkpoint(RESTART)').all([]);
      if (row?.['busy'] === 0 && row['log'] === row['checkpointed']) return;
      setLogPages(LOG_PAGES);
      throw new SondeError(
        'STORAGE_UNAVAILABLE',
        'the write-ahead log could not be merged into the database file',
      );
    },
    thaw: () => setLogPages(LOG_PAGES),
    unusedPages: () => (pragma('auto_vacuum') === IS_TRIMMABLE ? pragma('freelist_count') : 0),
    giveBack: (pages) => driver.exec(`PRAGMA incremental_vacuum(${pages})`),
    checkpoint: () => void driver.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([]),
    compact: () => driver.exec(`${TRIMMABLE}; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)`),
    close: () => driver.close(),
  };
}

const require = createRequire(import.meta.url);

/** Absent before Node 22.13. Its warning that it is experimental is suppressed. */
function openNodeSqlite(path: string): Driver | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    const { DatabaseSync } = require('node:sqlite') as NodeSqlite;
    const database = new DatabaseSync(path);
    return {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          all: (params) => statement.all(...params) as readonly SqlRow[],
          run: (params) => void statement.run(...params),
        };
      },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_BUILTIN_MODULE') return undefined;
    throw error;
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface NodeSqlite {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    close(): void;
    prepare(sql: string): { all(...params: SqlValue[]): unknown[]; run(...params: SqlValue[]): unknown };
  };
}

/** Parameters are always passed as one array, because a single buffer aborts the process. Blobs are ArrayBuffers. */
function openLibsql(path: string): Driver {
  const Database = require('libsql') as Libsql;
  const database = new Database(path);
  return {
    exec: (sql) => void database.exec(sql),
    close: () => void database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        all: (params) => statement.all([...params]).map(withViews),
        run: (params) => void statement.run([...params]),
      };
    },
  };
}

type LibsqlRow = Record<string, string | number | null | ArrayBuffer | Uint8Array>;

type Libsql = new (
  path: string,
) => {
  exec(sql: string): unknown;
  close(): unknown;
  prepare(sql: string): { all(params: SqlValue[]): LibsqlRow[]; run(params: SqlValue[]): unknown };
};

function withViews(row: LibsqlRow): SqlRow {
  // This runs for every column of every row, and `Object.entries` would allocate arrays for each row.
  for (const name in row) {
    const value = row[name];
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
  }
  return row as SqlRow;
}
