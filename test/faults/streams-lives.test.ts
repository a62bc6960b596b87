import { test } from 'vitest';
import { serveForTest } from '../support/serve.js';
import { EMBEDDED } from '../support/victim.js';
import { expectOnlyGood, recreateWhileRead, runStreamLives } from './streams-lives.js';

test('histories over HTTP have an explanation, even if the server is killed', async () => {
  await runStreamLives(EMBEDDED, { rounds: 40, kills: 4, seed: 1 });
}, 400_000);

test('streams recreated while they are read are whole', async () => {
  const server = await serveForTest();
  try {
    expectOnlyGood(await recreateWhileRead(server.url, 100));
  } finally {
    await server.stop();
  }
}, 400_000);
