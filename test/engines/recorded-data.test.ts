/**
 * Every version of a schema is recorded in test/fixtures/schemas, and so is a data folder and a database that the
 * recorded version wrote. A schema that changes without a new version fails here, because existing data would keep the
 * old tables. `npm run record-schemas` records a new version; a recorded one changes only before its release, with
 * `npm run record-schemas -- --replace`.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../../src/runtimes/node/postgres/read-migrations.js';
import { openRecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { openStoreHost } from '../../src/runtimes/node/sqlite/store-host.js';
import { CLOCK_SCHEMA } from '../../src/stores/sqlite/clock-state.js';
import { COMPARISON_SCHEMA } from '../../src/stores/sqlite/comparison-schema.js';
import { LOOSE_SCHEMA } from '../../src/stores/sqlite/loose-data.js';
import { prepareSchema, type Schema, versionOf } from '../../src/stores/sqlite/prepare-schema.js';
import { PROXY_SCHEMA } from '../../src/stores/sqlite/proxy-schema.js';
import { RECORD_SCHEMA } from '../../src/stores/sqlite/record-schema.js';
import { STREAM_SCHEMA } from '../../src/stores/sqlite/stream-schema.js';
import { SUBSCRIPTION_SCHEMA } from '../../src/stores/sqlite/subscription-schema.js';
import { SUITE_SCHEMA } from '../../src/stores/sqlite/suite-schema.js';
import { tryBuiltServer } from '../support/built-server.js';
import { dumpPostgres, dumpSqlite } from '../support/dump-database.js';
import {
  readEveryKind,
  type Shown,
  servePages,
  type Written,
  writeEveryKind,
} from '../support/every-kind.js';
import type { Listening } from '../support/listen.js';
import { MIGRATIONS_URL } from '../support/postgres-cluster.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { RECORDS_WORKER_URL, type ServedForTest, STORE_WORKER_URL, serveForTest } from '../support/serve.js';
import { sqliteTables } from '../support/sqlite-process.js';

const FOLDER = fileURLToPath(new URL('../fixtures/schemas/', import.meta.url));
/** Set by `npm run record-schemas`. */
const RECORDS = process.env['SONDE_RECORD_SCHEMAS'] as 'new' | 'replace' | undefined;

const SCHEMAS: readonly (readonly [file: string, schema: Schema])[] = [
  ['record-schema.ts', RECORD_SCHEMA],
  ['comparison-schema.ts', COMPARISON_SCHEMA],
  ['suite-schema.ts', SUITE_SCHEMA],
  ['stream-schema.ts', STREAM_SCHEMA],
  ['loose-data.ts', LOOSE_SCHEMA],
  ['subscription-schema.ts', SUBSCRIPTION_SCHEMA],
  ['proxy-schema.ts', PROXY_SCHEMA],
  ['clock-state.ts', CLOCK_SCHEMA],
];

/** Writes a file that is missing, or any file with `--replace`; otherwise returns what was recorded. */
function recorded(name: string, content: string): string | undefined {
  const path = join(FOLDER, name);
  if (RECORDS === 'replace' || (RECORDS && !existsSync(path))) writeFileSync(path, content);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

describe.each(SCHEMAS)('%s', (file, schema) => {
  const open = (sql = '') => {
    const database = openDatabase(':memory:');
    onTestFinished(() => database.close());
    for (const statement of sql.split(';\n\n').filter((one) => one.trim() !== ''))
      database.run(statement, []);
    prepareSchema(database, schema);
    return database;
  };
  const named = `${schema.name}-${versionOf(schema)}.sql`;

  test('is as recorded for its version', () => {
    const texts = open().all(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'log_layout'",
      [],
    );
    const now = texts.map(({ sql }) => `${sql};\n\n`).join('');
    const advice =
      `src/stores/sqlite/${file} differs from test/fixtures/schemas/${named}. Existing data keeps the tables of its ` +
      'version: add what changes to `upgrades` there, and then run `npm run record-schemas`';
    expect(recorded(named, now), advice).toBe(now);
  });

  test('upgrades every recorded version to the columns, indexes and triggers of a new one', () => {
    const columns = (database: ReturnType<typeof open>) => {
      const objects = database.all(
        'SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name',
        [],
      );
      return objects.map(({ type, name }) => {
        const info = type === 'table' ? database.all(`PRAGMA table_xinfo(${name})`, []) : [];
        return [
          type,
          name,
          info
            .map(({ cid: _, ...column }) => column)
            .sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
        ];
      });
    };
    const versions = readdirSync(FOLDER).filter((name) =>
      new RegExp(`^${schema.name}-\\d+\\.sql$`).test(name),
    );
    expect(versions).toContain(named);
    for (const name of versions) {
      const [, version] = /-(\d+)\.sql$/.exec(name) ?? [];
      const insert = `INSERT INTO ${schema.name}_schema (version) VALUES (${version});\n\n`;
      expect(columns(open(readFileSync(join(FOLDER, name), 'utf8') + insert))).toEqual(columns(open()));
    }
  });
});

test('no migration changes after it was recorded', async () => {
  const hashes = Object.fromEntries(
    (await readMigrations(MIGRATIONS_URL)).map(({ name, sql }) => [
      name,
      createHash('sha256').update(sql).digest('hex'),
    ]),
  );
  const path = join(FOLDER, 'migrations.json');
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as typeof hashes) : {};
  if (RECORDS)
    writeFileSync(path, `${JSON.stringify({ ...hashes, ...(RECORDS === 'new' && known) }, null, 2)}\n`);
  const advice =
    'a file in migrations/ differs from test/fixtures/schemas/migrations.json. Databases that have it would refuse to ' +
    'start: undo the change, add it as the next file, and run `npm run record-schemas`';
  expect(JSON.parse(readFileSync(path, 'utf8')), advice).toEqual(hashes);
});

/** Longer than the fixtures will be kept. */
const YEARS_MS = 30 * 365 * 86_400_000;

describe.each(['sqlite', 'postgres'] as const)('data of the recorded version on %s', (engine) => {
  const files = engine === 'sqlite' ? ['records', 'sonde'] : ['postgres', 'sonde'];
  let pages: Listening;
  let folder: string;
  let databaseUrl: string;
  beforeAll(async () => {
    pages = await servePages();
    folder = mkdtempSync(join(tmpdir(), 'sonde-recorded-'));
    databaseUrl = await newDatabase(isRecorded() ? 'template0' : 'sonde_template');
    if (!isRecorded()) await record();
  }, 120_000);
  afterAll(async () => {
    await pages.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const serve = (dataDir: string): Promise<ServedForTest> =>
    serveForTest({
      dataDir,
      jobs: {
        ...{ pollMs: 100, retentionMs: YEARS_MS },
        ...{ webhookSecret: 'recorded webhooks', sealingSecret: ['recorded seals'] },
        ...(engine === 'postgres' && { databaseUrl }),
      },
      net: { allowPrivate: [pages.origin] },
      proxy: {
        allow: [`private:${pages.origin}`],
        signingSecret: ['recorded links'],
        ...{ keepMs: YEARS_MS, urlMs: YEARS_MS },
      },
    });
  const pathOf = (name: string) => join(FOLDER, 'data', `${engine}-${name}`);
  const isRecorded = () => !RECORDS || (RECORDS === 'new' && existsSync(pathOf('written.json')));

  async function record(): Promise<void> {
    const dataDir = join(folder, 'recording');
    const server = await serve(dataDir);
    const written = await writeEveryKind(server.url, pages.origin, 'recorded');
    const shown = await readEveryKind(server.url, written);
    await server.stop();
    mkdirSync(join(FOLDER, 'data'), { recursive: true });
    writeFileSync(pathOf('written.json'), `${JSON.stringify({ written, shown, at: server.url }, null, 2)}\n`);
    for (const name of files) {
      const sql =
        name === 'postgres' ? await dumpPostgres(databaseUrl) : dumpSqlite(join(dataDir, `${name}.db`));
      writeFileSync(pathOf(`${name}.sql`), sql);
    }
    databaseUrl = await newDatabase('template0');
  }

  test('is read, continued and read again', async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    for (const name of files) {
      const sql = readFileSync(pathOf(`${name}.sql`), 'utf8');
      if (name === 'postgres') await runSql(databaseUrl, sql);
      else sqliteTables(join(dataDir, `${name}.db`), `PRAGMA journal_mode = WAL;\n${sql}`);
    }
    const { written, shown, at } = JSON.parse(readFileSync(pathOf('written.json'), 'utf8')) as {
      written: Written;
      shown: Shown;
      at: string;
    };
    const server = await serve(dataDir);
    onTestFinished(() => server.stop());
    const read = JSON.stringify(await readEveryKind(server.url, written)).replaceAll(server.url, at);
    expect(JSON.parse(read)).toEqual(shown);
    const later = await writeEveryKind(server.url, pages.origin, 'later');
    expect(Object.keys(await readEveryKind(server.url, later))).toHaveLength(
      later.texts.length + later.documents.length,
    );
    const append = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: ' last' };
    expect((await fetch(server.url + written.texts[0], append)).status).toBe(204);
    expect(await (await fetch(server.url + written.texts[0])).text()).toMatch(/^first x+ last$/);
  }, 120_000);
});

describe('data of an unknown version', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-unknown-'));
    for (const name of ['records', 'sonde']) {
      const sql = readFileSync(join(FOLDER, `data/sqlite-${name}.sql`), 'utf8');
      sqliteTables(join(folder, `${name}.db`), `PRAGMA journal_mode = WAL;\n${sql}`);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (name: 'records' | 'sonde') => {
    const path = join(folder, `${name}.db`);
    return name === 'records'
      ? openRecordsHost({ path, workerUrl: RECORDS_WORKER_URL })
      : openStoreHost({ path, workerUrl: STORE_WORKER_URL });
  };

  test.each([
    ['records', 'record'],
    ['records', 'comparison'],
    ['records', 'suite'],
    ['sonde', 'stream'],
    ['sonde', 'proxy'],
    ['sonde', 'subscription'],
  ] as const)('%s.db with another %s schema is refused and left as it is', async (name, schema) => {
    await (await open('records')).close();
    await (await open('sonde')).close();
    const path = join(folder, `${name}.db`);
    sqliteTables(path, `UPDATE ${schema}_schema SET version = 9`);
    const before = readFileSync(path);
    const files = readdirSync(folder).sort();
    await expect(open(name)).rejects.toMatchObject({
      code: 'DATA_VERSION_UNKNOWN',
      message: expect.stringContaining(`${schema} schema 9, and this version of Sonde supports`),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(files);
  });

  test('stops the program, which names the file', async () => {
    sqliteTables(join(folder, 'records.db'), 'UPDATE record_schema SET version = 99');
    const started = await tryBuiltServer({ folder });
    if ('url' in started) await started.stop();
    expect(started).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('DATA_VERSION_UNKNOWN') });
    expect(started).toMatchObject({ stderr: expect.stringMatching(/records\.db.*record schema 99/) });
  });
});
