import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, test } from 'vitest';
import { buildEdge } from '../../scripts/build-edge.mjs';
import { ABORTED_EDGE, KILLED_EDGE } from '../support/edge-victims.js';
import { report } from '../support/fault-report.js';
import { EMBEDDED } from '../support/victim.js';
import { expectOnlyGood, recreateWhileRead, runStreamLives } from './streams-lives.js';

/** `SONDE_TIMES` and `SONDE_KILLS` make it shorter or longer. */
const TIMES = Number(process.env['SONDE_TIMES'] ?? 10_000);
const KILLS = Number(process.env['SONDE_KILLS'] ?? 200);
const ROUNDS_PER_KILL = 10;

beforeAll(async () => {
  await buildEdge();
});

test.each([
  ['embedded', EMBEDDED],
  ['edge', KILLED_EDGE],
])('streams recreated while they are read are whole: %s', async (engine, victim) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-recreate-'));
  const running = await victim.start({ folder });
  try {
    const seen = await recreateWhileRead(running.url, TIMES);
    report(`streams-lives, recreated, ${engine}`, { times: TIMES, ...seen });
    expectOnlyGood(seen);
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ['embedded, killed', EMBEDDED, 1],
  ['edge, killed', KILLED_EDGE, 5],
  ['edge, objects aborted', ABORTED_EDGE, 5],
])('every history has an explanation: %s', async (engine, victim, share) => {
  const kills = Math.ceil(KILLS / share);
  const figures = await runStreamLives(victim, { rounds: kills * ROUNDS_PER_KILL, kills, seed: 7 });
  report(`streams-lives, histories, ${engine}`, figures);
});
