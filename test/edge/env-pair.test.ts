import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { comparisonIdOf, pairKeyOf } from '../../src/compare/index.js';
import type { EnvPairRpc } from '../../src/runtimes/cloudflare/compare/env-pair-rpc.js';
import { received } from '../../src/runtimes/cloudflare/wire-faults.js';
import { makeEnvelope } from '../support/make-envelope.js';
import { tablesOfObjects } from '../support/object-tables.js';
import { EDGE_VARIABLES } from '../support/serve-edge.js';

const LEFT = 'https://staging.example.com/';
const RIGHT = 'https://www.example.com/';
const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-pair-'));
let edge: RunningEdge;

beforeAll(async () => {
  edge = await startEdge({ stateFolder: folder, variables: EDGE_VARIABLES });
});
afterAll(async () => {
  await edge.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function pairOf(rightUrl: string): Promise<EnvPairRpc> {
  const namespace = await edge.objects('ENVPAIR_DO');
  const pairKey = pairKeyOf({ tenantId: 'default', leftUrl: LEFT, rightUrl });
  return namespace.get(namespace.idFromName(pairKey)) as unknown as EnvPairRpc;
}

test('the six methods of a pair, over RPC', async () => {
  const pair = await pairOf(RIGHT);
  const { comparisonId, status } = await received(pair.createComparison(LEFT, RIGHT));
  expect(status).toBe('running');
  expect(await received(pair.createComparison(LEFT, RIGHT, comparisonId))).toEqual({ comparisonId, status });
  const envelope = makeEnvelope('left', { url: LEFT }, 1);
  for (let time = 0; time < 2; time++) await received(pair.saveProbe(comparisonId, 'left', envelope));
  expect(await received(pair.getComparison(comparisonId))).toEqual({ status: 'running' });
  await received(pair.saveResult(comparisonId, { diff: { verdict: 'pass' }, timestamp: 5 }));
  await received(pair.failComparison(comparisonId, 'too late'));
  const ended = { status: 'completed', result: { diff: { verdict: 'pass' }, timestamp: 5 } };
  expect(await received(pair.getComparison(comparisonId))).toEqual(ended);
  const failing = await received(pair.createComparison(LEFT, RIGHT));
  await received(pair.failComparison(failing.comparisonId, 'broken'));
  expect(await received(pair.getComparison(failing.comparisonId))).toEqual({
    status: 'failed',
    error: 'broken',
  });
  expect(await received(pair.getComparisonsForHistory())).toEqual([ended]);
  const { pairs } = (await (await fetch(`${edge.url}/api/pairs`)).json()) as { pairs: unknown[] };
  expect(pairs).toMatchObject([
    { comparisons: 2, lastComparisonId: failing.comparisonId, lastStatus: 'failed' },
  ]);
});

const tablesOfPairs = () => tablesOfObjects(folder, 'EnvPairDO');

test('asking for what nobody has made leaves nothing behind', async () => {
  await edge.stop();
  const before = tablesOfPairs();
  expect(before.filter((tables) => tables > 0)).not.toEqual([]);
  edge = await startEdge({ stateFolder: folder, variables: EDGE_VARIABLES });
  const key = 'b'.repeat(40);
  const id = comparisonIdOf(key, crypto.randomUUID());
  for (const path of ['', '/probes', '/events']) {
    expect((await fetch(`${edge.url}/api/compare/${id}${path}`)).status).toBe(404);
  }
  expect(await (await fetch(`${edge.url}/api/pairs/${key}/comparisons`)).json()).toEqual({ comparisons: [] });
  await edge.stop();
  expect(tablesOfPairs().filter((tables) => tables > 0)).toHaveLength(before.filter((n) => n > 0).length);
  edge = await startEdge({ stateFolder: folder, variables: EDGE_VARIABLES });
});

test('what is not there is not found, and a comparison of another pair is refused', async () => {
  const pair = await pairOf('https://other.example.com/');
  const nobody = comparisonIdOf('a'.repeat(40), crypto.randomUUID());
  await expect(received(pair.getComparison(nobody))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await received(pair.getComparisonsForHistory(5))).toEqual([]);
  await expect(received(pair.createComparison(LEFT, RIGHT))).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});
