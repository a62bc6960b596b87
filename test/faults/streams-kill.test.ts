import { test } from 'vitest';
import { killAgainAndAgain } from './streams-kill.js';

test('nothing acknowledged or shown is lost over 50 kills', async () => {
  await killAgainAndAgain(50);
}, 600_000);
