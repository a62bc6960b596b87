import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { EMBEDDED } from '../support/victim.js';
import { expectOnlyGood, recreateWhileRead, runStreamLives } from './streams-lives.js';

test('histories over HTTP have an explanation, even if the server is killed', async () => {
  await runStreamLives(EMBEDDED, { rounds: 40, kills: 4, seed: 1 });
}, 400_000);

test('streams recreated while they are read are whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-recreate-'));
  const running = await EMBEDDED.start({ folder });
  try {
    expectOnlyGood(await recreateWhileRead(running.url, 100));
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 400_000);
