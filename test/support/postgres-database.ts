/** Creates a database for one test file, copied from the template of the run's server. */
import pg from 'pg';
import { inject } from 'vitest';

/** `template` chooses between the whole schema and an empty database. */
export async function newDatabase(
  template: 'sonde_template' | 'template0' = 'sonde_template',
): Promise<string> {
  const admin = inject('postgresUrl');
  const name = `sonde_${process.pid}_${crypto.randomUUID().replaceAll('-', '')}`;
  await runSql(admin, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return admin.replace('/postgres?', `/${name}?`);
}

export async function runSql(url: string, sql: string, params: unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, params)).rows;
  } finally {
    await client.end();
  }
}
