import { expect, test } from 'vitest';
import { killWhilePiping } from './proxy-kill.js';

/** Two servers side by side: while one starts, the other is killed. */
test('50 kills while eight answers stream in: nothing shown is lost, every stream has ended, no reader hangs', async () => {
  const halves = await Promise.all([killWhilePiping(25), killWhilePiping(25)]);
  for (const { shownBytes, lost } of halves) {
    expect(shownBytes).toBeGreaterThan(25_000);
    expect(lost).toBeGreaterThan(25);
  }
}, 600_000);
