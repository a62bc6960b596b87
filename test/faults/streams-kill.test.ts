import { test } from 'vitest';
import { killRepeatedly } from './streams-kill.js';

/**
 * `npm run faults -- streams-kill` makes 1,000. Two servers run side by side: while one starts, the other is killed.
 */
test('nothing acknowledged or shown is lost across 12 kills', async () => {
  await Promise.all([killRepeatedly(6), killRepeatedly(6)]);
}, 600_000);
