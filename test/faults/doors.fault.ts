import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { compareFrames, FRAMES } from '../support/compare-frames.js';
import { compareEngines } from '../support/engine-sequences.js';
import { engineOptions, listenForEngines } from '../support/engine-site.js';
import { report } from '../support/fault-report.js';
import { edgeVariablesOf } from '../support/serve-edge.js';

const SEQUENCES = Number(process.env['SONDE_SEQUENCES'] ?? 2_000);
const SEED = Number(process.env['SONDE_SEED'] ?? 37);
/** The folder of another build, `dist` of a worktree; without it, this build is compared with itself. */
const OTHER = process.env['SONDE_OTHER_DIST'];

/** `npm run faults -- doors` compares this build with `SONDE_OTHER_DIST`, on the same engine. */
test(`${SEQUENCES} seeded sequences and ${FRAMES.length} broken frames get the same responses from two builds`, async () => {
  const site = await listenForEngines();
  const env = edgeVariablesOf(engineOptions(site));
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'sonde-doors-')));
  const servers: BuiltServer[] = [];
  try {
    for (const [index, folder] of folders.entries()) {
      const program = index === 0 && OTHER !== undefined ? { program: join(OTHER, 'sonde.js') } : {};
      servers.push(await startBuiltServer({ folder, env, ...program }));
    }
    const engines = servers.map(({ url }, index) => ({ name: index === 0 ? 'other' : 'this', url }));
    const options = { seed: SEED, sequences: SEQUENCES, site: site.origin, whole: true };
    const figures = await compareEngines(engines, options);
    const frames = await compareFrames(servers, site.origin);
    report('doors', {
      ...figures,
      differences: JSON.stringify(figures.differences),
      frames: JSON.stringify(frames),
    });
    expect(figures.differences).toEqual({});
    expect(frames).toEqual({});
  } finally {
    for (const server of servers) await server.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
    await site.close();
  }
}, 3_600_000);
