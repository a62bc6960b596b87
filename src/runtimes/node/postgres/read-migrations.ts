/** Reads the migrations of this package from files next to the built program. */
import { readdir, readFile } from 'node:fs/promises';
import type { Migration } from '../../../stores/postgres/apply-migrations.js';

const NUMBERED = /^(\d{4}_[a-z0-9_]+)\.sql$/;

/** `folder` ends with a slash. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).flatMap((file) => NUMBERED.exec(file)?.[1] ?? []).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(`${name}.sql`, folder), 'utf8') })),
  );
}
