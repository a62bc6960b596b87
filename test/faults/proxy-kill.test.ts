import { expect, test } from 'vitest';
import { killWhilePiping } from './proxy-kill.js';

/** `npm run faults -- proxy-kill` makes 1,000. Two servers run side by side: while one starts, the other is killed. */
test('12 kills while eight responses stream in lose nothing shown and leave no stream or reader open', async () => {
  const halves = await Promise.all([killWhilePiping(6), killWhilePiping(6)]);
  for (const { shownBytes, lost } of halves) {
    expect(shownBytes).toBeGreaterThan(10_000);
    expect(lost).toBeGreaterThan(6);
  }
}, 600_000);
