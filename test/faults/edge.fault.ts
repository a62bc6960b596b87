import { beforeAll, test } from 'vitest';
import { buildEdge } from '../../scripts/build-edge.mjs';
import { report } from '../support/fault-report.js';
import { edgeFaults } from './edge-faults.js';

/** `SONDE_KILLS` makes it shorter or longer. */
const FAULTS = Number(process.env['SONDE_KILLS'] ?? 200);

beforeAll(async () => {
  await buildEdge();
});

test.each(edgeFaults(FAULTS, { strays: true }))(
  'nothing acknowledged is lost and every run ends: $name, $times times',
  async (fault) => {
    report(`edge, ${fault.name}`, await fault.run());
  },
);
