import { expect, test } from 'vitest';
import { killWhilePiping } from './proxy-kill.js';

test('50 kills while eight answers stream in: nothing shown is lost, every stream has ended, no reader hangs', async () => {
  const { shownBytes, lost } = await killWhilePiping(50);
  expect(shownBytes).toBeGreaterThan(50_000);
  expect(lost).toBeGreaterThan(50);
}, 600_000);
