import { test } from 'vitest';
import { killAgainAndAgain } from './streams-kill.js';

/** Two servers side by side: while one starts, the other is killed. */
test('nothing acknowledged or shown is lost over 50 kills', async () => {
  await Promise.all([killAgainAndAgain(25), killAgainAndAgain(25)]);
}, 600_000);
