import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { type Listening, listenHttp } from '../support/listen.js';
import { EDGE_VARIABLES } from '../support/serve-edge.js';

/** Runs that lose their platform in the middle of a step, on a target that keeps them waiting. */
const HOME = '<!doctype html><html lang=en><head><title>t</title></head><body><h1>Home</h1></body></html>';
let target: Listening;
let folder: string;
let edge: RunningEdge;
let holding = true;
const held: ServerResponse[] = [];

beforeAll(async () => {
  target = await listenHttp((_request, response) => {
    if (holding) return void held.push(response);
    response.setHeader('content-type', 'text/html').end(HOME);
  });
});
afterAll(() => target.close());
beforeEach(async () => {
  holding = true;
  folder = mkdtempSync(join(tmpdir(), 'sonde-edge-cut-'));
  await start();
});
afterEach(async () => {
  await edge.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  edge = await startEdge({
    stateFolder: folder,
    variables: { ...EDGE_VARIABLES, SONDE_ALLOW_PRIVATE: target.origin, SONDE_RUN_QUIET_MS: '2000' },
  });
}

/** Takes the platform away while the target is being asked, and starts it again on what it had written. */
async function cutOff(): Promise<void> {
  await vi.waitFor(() => expect(held).not.toEqual([]), { timeout: 30_000, interval: 50 });
  await edge.stop();
  for (const response of held.splice(0)) response.destroy();
  await start();
}

async function create(path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${edge.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  expect(made.ok, await made.clone().text()).toBe(true);
  const { pathname } = new URL(made.headers.get('location') ?? '');
  return pathname;
}

const compare = () =>
  create('/api/compare', {
    leftUrl: `${target.origin}/l`,
    rightUrl: `${target.origin}/r`,
    samples: 1,
    profile: 'core',
  });

async function ended(path: string): Promise<unknown> {
  const read = async () => (await fetch(`${edge.url}${path}`)).json() as Promise<{ status: string }>;
  await vi.waitFor(async () => expect((await read()).status).not.toMatch(/running|queued/), {
    timeout: 40_000,
    interval: 200,
  });
  return read();
}

test('a comparison that was cut off goes on to its one result', async () => {
  const path = await compare();
  await cutOff();
  holding = false;
  for (const response of held.splice(0)) response.destroy();
  expect(await ended(path)).toMatchObject({ status: 'completed', result: { diff: { counts: {} } } });
  const { probes } = (await (await fetch(`${edge.url}${path}/probes`)).json()) as { probes: unknown[] };
  expect(probes).toHaveLength(2);
}, 90_000);

test('an audit that was cut off goes on to its report', async () => {
  const path = await create('/api/audits', { url: `${target.origin}/`, pages: 2, delayMs: 0 });
  await cutOff();
  holding = false;
  for (const response of held.splice(0)) response.destroy();
  expect(await ended(path)).toMatchObject({ status: 'done', progress: 100 });
}, 90_000);

test('a run that is cut off again and again ends as interrupted', async () => {
  const path = await compare();
  for (let time = 0; time < 4; time++) await cutOff();
  expect(await ended(path)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  const { jobs } = (await (await fetch(`${edge.url}/api/jobs`)).json()) as { jobs: unknown[] };
  expect(jobs).toMatchObject([{ status: 'failed', lastError: expect.stringMatching(/^interrupted: /) }]);
}, 180_000);
