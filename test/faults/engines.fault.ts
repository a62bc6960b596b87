import { expect, test } from 'vitest';
import { buildEdge } from '../../scripts/build-edge.mjs';
import { VERSION } from '../../src/version.js';
import { compareEngines } from '../support/engine-sequences.js';
import { engineOptions, listenForEngines } from '../support/engine-site.js';
import { report } from '../support/fault-report.js';
import { startPostgres } from '../support/postgres-cluster.js';
import { JOB_OPTIONS, serveForTest } from '../support/serve.js';
import { edgeVariablesOf, serveEdgeForTest } from '../support/serve-edge.js';

const SEQUENCES = Number(process.env['SONDE_SEQUENCES'] ?? 2_000);

/** `npm run faults -- engines`. */
test(`${SEQUENCES} seeded sequences get the same responses from all engines`, async () => {
  await buildEdge();
  const cluster = await startPostgres();
  const site = await listenForEngines();
  const options = { ...engineOptions(site), version: VERSION };
  const embedded = await serveForTest(options);
  const jobs = { ...JOB_OPTIONS, databaseUrl: cluster.urlOf('postgres') };
  const postgres = await serveForTest({ ...options, jobs });
  const edge = await serveEdgeForTest(edgeVariablesOf(options), { pages: true });
  const engines = [
    { name: 'embedded', url: embedded.url },
    { name: 'postgres', url: postgres.url },
    { name: 'edge', url: edge.url },
  ];
  try {
    const figures = await compareEngines(engines, { seed: 15, sequences: SEQUENCES, site: site.origin });
    report('engines', { ...figures, differences: JSON.stringify(figures.differences) });
    expect(figures.differences).toEqual({});
  } finally {
    for (const server of [embedded, postgres, edge]) await server.stop();
    await site.close();
    await cluster.stop();
  }
}, 3_600_000);
