/**
 * A SQLite file as the small synchronous interface that stores are written over: `node:sqlite` where this Node
 * has it, `libsql` elsewhere. Durable by default: WAL with `synchronous=FULL`, so a commit has been synced when
 * it returns. Unless it is shared, the file is locked for this process: the stores of streams keep rows in memory.
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SondeError } from '../../../errors.js';
import type { SqlDatabase, SqlRow, SqlValue } from '../../../stores/sqlite/sql-database.js';
import { openFault } from './open-fault.js';
import { isFull } from './sqlite-faults.js';

export interface OpenDatabase extends SqlDatabase {
  readonly driver: 'node:sqlite' | 'libsql';
  begin(): void;
  /** After background work no commit finds much in the log that it has to move into the file. */
  commit(kind?: 'background'): void;
  rollback(): void;
  /** Moves the log into the file, which then does not change until `thaw`; writes continue in the log. */
  freeze(): void;
  thaw(): void;
  /** Pages of the file that hold nothing; 0 where they cannot be given back without rewriting the file. */
  unusedPages(): number;
  /** Moves the end of the file into this many unused pages. */
  giveBack(pages: number): void;
  /** Moves the part of the log that has no readers into the file. */
  checkpoint(): void;
  /** Rewrites the file without unused pages. Takes as long as the file is large, and as much room. */
  compact(): void;
  close(): void;
}

interface Statement {
  all(params: readonly SqlValue[]): readonly SqlRow[];
  run(params: readonly SqlValue[]): void;
}

interface Driver {
  readonly name: OpenDatabase['driver'];
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** A little more than the log holds between two checkpoints. */
const LOG_BYTES = 4.5 * 1024 * 1024;
/**
 * Pages in the log from which on a commit moves them into the file. Small appends write the same pages again and again, so
 * the longer the log the less is moved. What background work writes is moved in any case, and in small parts holds the
 * file for a few milliseconds each.
 */
const LOG_PAGES = 1000;
const LOG_PAGES_OF_BACKGROUND = 250;
/** Nothing is moved. */
const FROZEN = 0;
const checkpointAt = (pages: number) => `PRAGMA wal_autocheckpoint = ${pages}`;
const SETTINGS = [
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA cache_size = -16384',
  checkpointAt(LOG_PAGES),
  'PRAGMA mmap_size = 67108864',
  // What one large transaction made of the log goes when the log begins again.
  `PRAGMA journal_size_limit = ${LOG_BYTES}`,
];
/** Before the log is opened: then its index needs no file of its own, for which a full disk has no room. */
const ALONE = 'PRAGMA locking_mode = EXCLUSIVE';
/** Of a new file, before anything is written to it: unused pages can be given back. An older one gets it by `compact`. */
const TRIMMABLE = 'PRAGMA auto_vacuum = INCREMENTAL';
const IS_TRIMMABLE = 2;
/** How long a write waits for another process that has the file open too. */
const TOGETHER = 'PRAGMA busy_timeout = 5000';

export interface OpenOptions {
  /** The stores keep nothing in memory, and another process may write to the same file. */
  readonly shared?: boolean;
  /** Throws for a file that is to be left as it is; asked before anything is written to it. */
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
  keepForOwner(path);
  const driver = openNodeSqlite(path) ?? openLibsql(path);
  try {
    driver.prepare(shared ? TOGETHER : ALONE).all([]);
    driver.exec(TRIMMABLE);
    useLog(driver);
    for (const setting of SETTINGS) driver.prepare(setting).all([]);
    // The exclusive lock is taken by the first write, not by the setting.
    if (!shared) driver.exec('BEGIN IMMEDIATE; COMMIT');
    refuse?.(wrap(driver));
    if (!shared) layOutLog(driver);
    return wrap(driver);
  } catch (error) {
    driver.close();
    throw error;
  }
}

/** On a full disk SQLite undoes the whole transaction by itself, the savepoint with it; then the first error counts. */
function undoTo(driver: Driver, savepoint: string): void {
  try {
    driver.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
  } catch {
    return;
  }
}

/**
 * Mode 0600 whatever the umask, also for files of earlier versions. SQLite gives the log the mode of its database.
 * Where that fails the file cannot be opened either, or belongs to another user, whose business its mode is.
 */
function keepForOwner(path: string): void {
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

/** On a file system without shared memory or locks, SQLite keeps the old mode and only returns its name. */
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
 * Gives the write-ahead log its full length once. A sync of a file that grows must also write its new length;
 * one that overwrites need not, and commits half as fast again (docs/decisions/0003-group-commit.md).
 */
function layOutLog(driver: Driver): void {
  try {
    driver.exec('CREATE TABLE IF NOT EXISTS log_layout (filler BLOB)');
    driver.exec(
      `BEGIN; INSERT INTO log_layout VALUES (zeroblob(${LOG_BYTES})); DELETE FROM log_layout; COMMIT`,
    );
    driver.prepare('PRAGMA wal_checkpoint(RESTART)').all([]);
  } catch (error) {
    // On a full disk existing data can still be read, and the first write reports the problem.
    if (!isFull(error)) throw error;
    rollback(driver);
  }
}

function rollback(driver: Driver): void {
  try {
    driver.exec('ROLLBACK');
  } catch {
    // SQLite has already undone the transaction itself.
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
    driver: driver.name,
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

/** Absent before Node 22.13. Its only warning is about what we have tested. */
function openNodeSqlite(path: string): Driver | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    const { DatabaseSync } = require('node:sqlite') as NodeSqlite;
    const database = new DatabaseSync(path);
    return {
      name: 'node:sqlite',
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

/** Parameters always go as one array: a lone buffer aborts the process. Blobs come back as ArrayBuffer. */
function openLibsql(path: string): Driver {
  const Database = require('libsql') as Libsql;
  const database = new Database(path);
  return {
    name: 'libsql',
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
  // Every column of every row passes here; `Object.entries` would make a list of lists of each row.
  for (const name in row) {
    const value = row[name];
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
  }
  return row as SqlRow;
}
