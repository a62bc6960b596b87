/**
 * Migrates a database to the newest schema. Numbered files are applied in order, each once, in a transaction that also
 * records it. Any number of processes may run this concurrently: one applies a file, the others wait and find it done,
 * however long an index takes to build. A file that was changed after it was applied is refused, because the database
 * no longer matches the files.
 *
 * During a rolling upgrade, older programs restart on a newer schema. A migration that they can work with says so in
 * its first lines: `-- compatible since 0005` names the newest migration that such a program must know.
 */
import { SondeError } from '../../errors.js';
import { hashParts } from '../../net/index.js';
import { type PgDatabase, type PgQueries, pgStatement } from './pg-database.js';

export interface Migration {
  /** `0001_records`. */
  readonly name: string;
  readonly sql: string;
}

/** An arbitrary number; it only has to be the same everywhere. */
const LOCK = 'SELECT pg_advisory_xact_lock(7061747)';

export async function applyMigrations(
  database: PgDatabase,
  migrations: readonly Migration[],
): Promise<string[]> {
  await database.checkSession();
  const sorted = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  await database.transaction((queries) => refuseUnknown(queries, sorted), { statementMs: 0 });
  const applied: string[] = [];
  for (const migration of sorted) {
    const isNew = await database.transaction((queries) => applyOne(queries, migration), { statementMs: 0 });
    if (isNew) applied.push(migration.name);
  }
  return applied;
}

async function applyOne(queries: PgQueries, { name, sql }: Migration): Promise<boolean> {
  await plain(queries, LOCK);
  const hash = hashParts([sql]);
  const [row] = await queries.query(SELECT_APPLIED, [name]);
  if (row) {
    if (row['sha256'] === hash) return false;
    throw new SondeError(
      'CONFIG_INVALID_VALUE',
      `jobs.databaseUrl: the migration ${name} was applied with different SQL than this version contains`,
    );
  }
  await plain(queries, sql);
  await queries.query(INSERT_APPLIED, [name, hash, COMPATIBLE.exec(sql)?.[1] ?? null]);
  return true;
}

const COMPATIBLE = /^-- compatible since (\d{4})$/m;

/**
 * A program must not work on a schema that it does not know, unless the migration declares itself compatible. Called
 * first, so that a refused database is left unchanged.
 */
async function refuseUnknown(queries: PgQueries, known: readonly Migration[]): Promise<void> {
  await plain(queries, LOCK);
  await plain(queries, CREATE_LEDGER);
  const rows = await plain(queries, 'SELECT name, compatible_since FROM sonde_migrations ORDER BY name');
  const names = new Set(known.map(({ name }) => name));
  const newest = known.at(-1)?.name ?? '';
  const refused = rows
    .filter((row) => !names.has(String(row['name'])))
    .filter((row) => row['compatible_since'] === null || newest < String(row['compatible_since']))
    .map((row) => String(row['name']));
  if (refused.length === 0) return;
  throw new SondeError(
    'CONFIG_INVALID_VALUE',
    `jobs.databaseUrl: the database has the migrations ${refused.join(', ')}, which this version of Sonde does not know: ` +
      'they are from a newer version, or from one before the first release. Nothing was changed. Run that version, or ' +
      'name an empty database',
  );
}

/** Without a name the text is not prepared, and may contain several statements. */
function plain(queries: PgQueries, text: string) {
  return queries.query({ name: '', text }, []);
}

const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS sonde_migrations (
  name TEXT PRIMARY KEY, sha256 CHAR(64) NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now(), compatible_since TEXT
)`;
const SELECT_APPLIED = pgStatement('select_migration')`SELECT sha256 FROM sonde_migrations WHERE name = $1`;
const INSERT_APPLIED = pgStatement('insert_migration')`
  INSERT INTO sonde_migrations (name, sha256, compatible_since) VALUES ($1, $2, $3)`;
