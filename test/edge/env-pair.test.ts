/** The Durable Object of a pair, called over RPC. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { comparisonIdOf, pairKeyOf } from '../../src/compare/index.js';
import type { EnvPairRpc } from '../../src/runtimes/cloudflare/compare/env-pair-rpc.js';
import { listenHttp } from '../support/listen.js';
import { makeEnvelope } from '../support/make-envelope.js';
import { tablesOfObjects } from '../support/object-tables.js';
import { EDGE_VARIABLES } from '../support/serve-edge.js';

const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-pair-'));
let edge: RunningEdge;
let site: Awaited<ReturnType<typeof listenHttp>>;
let LEFT = '';
let RIGHT = '';
let release = () => {};
/** While held, the site does not respond, so that the test's own writes come first. */
let held = Promise.resolve();

const hold = () => {
  held = new Promise((resolve) => {
    release = resolve;
  });
};

beforeAll(async () => {
  site = await listenHttp((request, response) => {
    void held.then(() => response.end(`hello from ${request.url}`));
  });
  LEFT = `${site.origin}/left`;
  RIGHT = `${site.origin}/right`;
  const variables = { ...EDGE_VARIABLES, SONDE_ALLOW_PRIVATE: site.origin };
  edge = await startEdge({ stateFolder: folder, variables, pages: false });
});
afterAll(async () => {
  release();
  await edge.stop();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pairOf(rightUrl: string): Promise<EnvPairRpc> {
  const namespace = await edge.objects('ENVPAIR_DO');
  const pairKey = pairKeyOf({ tenantId: 'default', leftUrl: LEFT, rightUrl });
  return namespace.get(namespace.idFromName(pairKey)) as unknown as EnvPairRpc;
}

test('the six methods of a pair return and throw over RPC', async () => {
  hold();
  onTestFinished(() => release());
  const pair = await pairOf(RIGHT);
  const { comparisonId, status } = await pair.createComparison(LEFT, RIGHT);
  expect(status).toBe('running');
  expect(await pair.createComparison(LEFT, RIGHT, comparisonId)).toEqual({ comparisonId, status });
  const envelope = makeEnvelope('left', { url: LEFT }, 1);
  for (let time = 0; time < 2; time++) await pair.saveProbe(comparisonId, 'left', envelope);
  expect(await pair.getComparison(comparisonId)).toEqual({ status: 'running' });
  await pair.saveResult(comparisonId, { diff: { verdict: 'pass' }, timestamp: 5 });
  await pair.failComparison(comparisonId, 'too late');
  const ended = { status: 'completed', result: { diff: { verdict: 'pass' }, timestamp: 5 } };
  expect(await pair.getComparison(comparisonId)).toEqual(ended);
  const failing = await pair.createComparison(LEFT, RIGHT);
  await pair.failComparison(failing.comparisonId, 'broken');
  expect(await pair.getComparison(failing.comparisonId)).toEqual({ status: 'failed', error: 'broken' });
  expect(await pair.getComparisonsForHistory()).toEqual([ended]);
  const { pairs } = (await (await fetch(`${edge.url}/api/pairs`)).json()) as { pairs: unknown[] };
  expect(pairs).toMatchObject([
    { comparisons: 2, lastComparisonId: failing.comparisonId, lastStatus: 'failed' },
  ]);
});

test('a comparison started by RPC runs to its end', async () => {
  const right = `${site.origin}/other`;
  const pair = await pairOf(right);
  const { comparisonId } = await pair.createComparison(LEFT, right);
  await expect
    .poll(async () => (await pair.getComparison(comparisonId)).status, { timeout: 50_000, interval: 250 })
    .toBe('completed');
  const { result } = await pair.getComparison(comparisonId);
  expect(result).toMatchObject({ diff: { comparisonId, verdict: expect.any(String) } });
  expect(await pair.getComparisonsForHistory()).toHaveLength(1);
});

const tablesOfPairs = () => tablesOfObjects(folder, 'EnvPairDO');

test('requests for pairs that do not exist leave nothing behind', async () => {
  await edge.stop();
  const before = tablesOfPairs();
  expect(before.filter((tables) => tables > 0)).not.toEqual([]);
  edge = await startEdge({ stateFolder: folder, variables: EDGE_VARIABLES, pages: false });
  const key = 'b'.repeat(40);
  const id = comparisonIdOf(key, crypto.randomUUID());
  for (const path of ['', '/probes', '/events']) {
    expect((await fetch(`${edge.url}/api/compare/${id}${path}`)).status).toBe(404);
  }
  expect(await (await fetch(`${edge.url}/api/pairs/${key}/comparisons`)).json()).toEqual({ comparisons: [] });
  await edge.stop();
  expect(tablesOfPairs().filter((tables) => tables > 0)).toHaveLength(before.filter((n) => n > 0).length);
  edge = await startEdge({ stateFolder: folder, variables: EDGE_VARIABLES, pages: false });
});

test('an unknown comparison reads as running, and a comparison of another pair is refused', async () => {
  const pair = await pairOf('https://other.example.com/');
  const nobody = comparisonIdOf('a'.repeat(40), crypto.randomUUID());
  expect(await pair.getComparison(nobody)).toEqual({ status: 'running' });
  expect(await pair.getComparisonsForHistory(5)).toEqual([]);
  // The client of the local engine loses the message.
  await expect(pair.createComparison(LEFT, RIGHT)).rejects.toThrow();
});
