/**
 * Brings a database to the newest schema: numbered files, each applied once, in order, in its own transaction
 * together with the note that it was. Any number of processes may do this at once; one applies, the others wait
 * and find it done. A file that was changed after it was applied is refused: what the database holds is then no
 * longer what the files say.
 */
import { SondeError } from '../../errors.js';
import { hashParts } from '../../net/index.js';
import type { PgDatabase, PgQueries } from './pg-database.js';

export interface Migration {
  /** `0001_records`. */
  readonly name: string;
  readonly sql: string;
}

/** Of our own choosing; it only has to be the same everywhere. */
const LOCK = 7_061_747;

export async function applyMigrations(
  database: PgDatabase,
  migrations: readonly Migration[],
): Promise<string[]> {
  const sorted = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  const applied: string[] = [];
  for (const migration of sorted) {
    if (await database.transaction((queries) => applyOne(queries, migration))) applied.push(migration.name);
  }
  await database.transaction((queries) => refuseNewer(queries, sorted));
  return applied;
}

async function applyOne(queries: PgQueries, { name, sql }: Migration): Promise<boolean> {
  await plain(queries, `SELECT pg_advisory_xact_lock(${LOCK})`);
  await plain(queries, CREATE_LEDGER);
  const hash = hashParts([sql]);
  const [row] = await queries.query(SELECT_APPLIED, [name]);
  if (row) {
    if (row['sha256'] === hash) return false;
    throw new SondeError(
      'CONFIG_INVALID_VALUE',
      `jobs.databaseUrl: the migration ${name} was applied with another text than this program has`,
    );
  }
  await plain(queries, sql);
  await queries.query(INSERT_APPLIED, [name, hash]);
  return true;
}

/** A program must not work on a schema that it does not know. */
async function refuseNewer(queries: PgQueries, known: readonly Migration[]): Promise<void> {
  const rows = await plain(queries, 'SELECT name FROM sonde_migrations ORDER BY name');
  const names = new Set(known.map(({ name }) => name));
  const newer = rows.map((row) => String(row['name'])).filter((name) => !names.has(name));
  if (newer.length === 0) return;
  throw new SondeError(
    'CONFIG_INVALID_VALUE',
    `jobs.databaseUrl: the database has ${newer.join(', ')}, which this program does not know; it is newer`,
  );
}

/** Without a name it is not prepared, and may hold several statements. */
function plain(queries: PgQueries, text: string) {
  return queries.query({ name: '', text }, []);
}

const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS sonde_migrations (
  name TEXT PRIMARY KEY, sha256 CHAR(64) NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
)`;
const SELECT_APPLIED = {
  name: 'select_migration',
  text: 'SELECT sha256 FROM sonde_migrations WHERE name = $1',
};
const INSERT_APPLIED = {
  name: 'insert_migration',
  text: 'INSERT INTO sonde_migrations (name, sha256) VALUES ($1, $2)',
};
