import { test } from 'vitest';
import { killAgainAndAgain } from './streams-kill.js';

/**
 * `npm run faults -- streams-kill` makes 1,000. Two servers run side by side: while one starts, the other is killed.
 */
test('nothing acknowledged or shown is lost across 20 kills', async () => {
  await Promise.all([killAgainAndAgain(10), killAgainAndAgain(10)]);
}, 600_000);
