import { expect, test } from 'vitest';
import { compareEngines } from '../support/engine-sequences.js';
import { engineOptions, listenForEngines } from '../support/engine-site.js';
import { report } from '../support/fault-report.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, serveForTest } from '../support/serve.js';

test('seeded sequences get the same responses from SQLite and PostgreSQL', async () => {
  const site = await listenForEngines();
  const options = engineOptions(site);
  const sqlite = await serveForTest(options);
  const jobs = { ...JOB_OPTIONS, databaseUrl: await newDatabase() };
  const postgres = await serveForTest({ ...options, jobs });
  const engines = [
    { name: 'sqlite', url: sqlite.url },
    { name: 'postgres', url: postgres.url },
  ];
  try {
    const figures = await compareEngines(engines, { seed: 2, sequences: 40, site: site.origin });
    report('engines', { ...figures, differences: Object.keys(figures.differences).length });
    expect(figures.differences).toEqual({});
  } finally {
    await sqlite.stop();
    await postgres.stop();
    await site.close();
  }
}, 120_000);
