import { expect, test } from 'vitest';
import { edgeFaults } from '../faults/edge-faults.js';

/** `npm run faults -- edge` runs two hundred. */
const FAULTS = 12;

test.each(edgeFaults(FAULTS, { strays: false }))(
  'nothing acknowledged is lost and every run ends: $name, $times times',
  async (fault) => {
    expect((await fault.run())['times']).toBe(fault.times);
  },
  300_000,
);
