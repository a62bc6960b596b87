import { expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { compareEngines } from '../support/engine-sequences.js';
import { engineOptions, listenForEngines } from '../support/engine-site.js';
import { report } from '../support/fault-report.js';
import { serveForTest } from '../support/serve.js';
import { edgeVariablesOf, serveEdgeForTest } from '../support/serve-edge.js';

test('seeded sequences get the same responses from the embedded engine and the edge', async () => {
  const site = await listenForEngines();
  const options = { ...engineOptions(site), version: VERSION };
  const embedded = await serveForTest(options);
  const edge = await serveEdgeForTest(edgeVariablesOf(options), { pages: true });
  const engines = [
    { name: 'embedded', url: embedded.url },
    { name: 'edge', url: edge.url },
  ];
  try {
    const figures = await compareEngines(engines, { seed: 1, sequences: 40, site: site.origin });
    report('engines', { ...figures, differences: Object.keys(figures.differences).length });
    expect(figures.differences).toEqual({});
  } finally {
    await embedded.stop();
    await edge.stop();
    await site.close();
  }
}, 120_000);
