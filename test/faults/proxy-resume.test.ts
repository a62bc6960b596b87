import { expect, test } from 'vitest';
import { resumeRepeatedly } from './proxy-resume.js';

test('200 random chunkings, drops, positions and modes are byte-exact', async () => {
  const { cases, drops, byMode } = await resumeRepeatedly(200, 1);
  expect([cases, drops > 100, Object.keys(byMode).length]).toEqual([200, true, 6]);
}, 120_000);
