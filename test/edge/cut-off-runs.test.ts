import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RUN_INTERRUPTED } from '../../src/compare/index.js';
import { type FaultyEdge, startFaultyEdge } from '../support/faulty-edge.js';
import { type Listening, listenHttp } from '../support/listen.js';

/** Runs whose platform dies in the middle of a step, against a target that keeps them waiting. */
const HOME = '<!doctype html><html lang=en><head><title>t</title></head><body><h1>Home</h1></body></html>';
let target: Listening;
let folder: string;
let edge: FaultyEdge;
let holding = true;
const held: ServerResponse[] = [];
/** Gets a response even while others are held back. */
const AT_ONCE = '/at-once';
const asked: string[] = [];
let compared = 0;

beforeAll(async () => {
  target = await listenHttp(({ url = '' }, response) => {
    asked.push(url);
    if (holding && !url.endsWith(AT_ONCE)) return void held.push(response);
    reply(response);
  });
  folder = mkdtempSync(join(tmpdir(), 'sonde-edge-cut-'));
  await start();
});
afterAll(async () => {
  await edge.stop();
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  holding = true;
});
afterEach(letGo);

async function start(): Promise<void> {
  edge = await startFaultyEdge({
    folder,
    abortable: true,
    variables: { SONDE_ALLOW_PRIVATE: target.origin, SONDE_RUN_QUIET_MS: '1000' },
  });
}

const reply = (response: ServerResponse) => void response.setHeader('content-type', 'text/html').end(HOME);

const untilHeld = () => vi.waitFor(() => expect(held).not.toEqual([]), { timeout: 90_000, interval: 50 });

/** Lets the target respond from now on; the responses it held back are aborted. */
function letGo(): void {
  holding = false;
  for (const response of held.splice(0)) response.destroy();
}

/** Kills the platform while the target has an open request, and restarts it on its stored state. */
async function cutOff(): Promise<void> {
  await untilHeld();
  await edge.kill();
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

/** Starts a comparison of a pair of its own. */
function compare(): Promise<string> {
  const pair = `${target.origin}/pair-${compared++}`;
  const sides = { leftUrl: `${pair}/l`, rightUrl: `${pair}/r` };
  return create('/api/compare', { ...sides, samples: 1, profile: 'core' });
}

interface Job {
  readonly jobId: string;
  readonly status: string;
}

async function readJobs(): Promise<Job[]> {
  const { jobs } = (await (await fetch(`${edge.url}/api/jobs`)).json()) as { jobs: Job[] };
  return jobs;
}

async function ended(path: string): Promise<unknown> {
  const read = async () => (await fetch(`${edge.url}${path}`)).json() as Promise<{ status: string }>;
  await vi.waitFor(async () => expect((await read()).status).not.toMatch(/running|queued/), {
    timeout: 120_000,
    interval: 200,
  });
  return read();
}

test('a comparison that was cut off continues to its one result', async () => {
  const path = await compare();
  await cutOff();
  letGo();
  expect(await ended(path)).toMatchObject({ status: 'completed', result: { diff: { counts: {} } } });
  const { probes } = (await (await fetch(`${edge.url}${path}/probes`)).json()) as { probes: unknown[] };
  expect(probes).toHaveLength(2);
}, 300_000);

test('an audit that was cut off continues to its report', async () => {
  const path = await create('/api/audits', { url: `${target.origin}/`, pages: 2, delayMs: 0 });
  await cutOff();
  letGo();
  expect(await ended(path)).toMatchObject({ status: 'done', progress: 100 });
}, 300_000);

test('a suite that was cut off repeatedly continues, and each path has one result', async () => {
  const paths = [AT_ONCE, '/b', '/c', '/d'];
  const suite = await create('/api/suites', {
    leftUrl: `${target.origin}/left`,
    rightUrl: `${target.origin}/right`,
    paths,
    samples: 1,
    profile: 'core',
    concurrency: 1,
  });
  const rows = async () =>
    ((await (await fetch(edge.url + suite)).json()) as { rows: { path: string; comparisonId: string }[] })
      .rows;
  await untilHeld();
  const before = await rows();
  const askedBefore = asked.filter((url) => url.endsWith(AT_ONCE)).length;
  for (let time = 0; time < 2; time++) await cutOff();
  holding = false;
  for (const response of held.splice(0)) reply(response);
  expect(await ended(suite)).toMatchObject({ status: 'completed', verdict: 'pass', paths: 4, done: 4 });
  const after = await rows();
  expect(after.map(({ path }) => path)).toEqual(paths);
  // An outcome recorded before the first kill is final; its path was not requested again.
  expect(after[0]).toEqual(before[0]);
  expect(asked.filter((url) => url.endsWith(AT_ONCE))).toHaveLength(askedBefore);
  expect(new Set(after.map(({ comparisonId }) => comparisonId)).size).toBe(4);
  for (const { comparisonId } of after) {
    const compared = await fetch(`${edge.url}/api/compare/${comparisonId}`);
    expect(await compared.json()).toMatchObject({ status: 'completed', result: { diff: { counts: {} } } });
    const { probes } = (await (await fetch(`${edge.url}/api/compare/${comparisonId}/probes`)).json()) as {
      probes: unknown[];
    };
    expect(probes).toHaveLength(2);
  }
}, 300_000);

test.each([
  ['AuditLedger', () => 'default'],
  ['ENVPAIR_DO', (path: string) => /[0-9a-f]{40}/.exec(path)?.[0] ?? ''],
] as const)(
  'a comparison whose %s was aborted meanwhile continues to its one result',
  async (binding, nameOf) => {
    const path = await compare();
    await untilHeld();
    await edge.abort(binding, nameOf(path));
    letGo();
    expect(await ended(path)).toMatchObject({ status: 'completed', result: { diff: { counts: {} } } });
  },
  300_000,
);

test('a run that failed before it started is started again', async () => {
  holding = false;
  await fetch(`${edge.url}/test/break-next-run`);
  expect(await ended(await compare())).toMatchObject({ status: 'completed' });
}, 300_000);

test('a silent run whose alarm was lost is found when its records are requested', async () => {
  holding = false;
  await fetch(`${edge.url}/test/break-next-run`);
  const path = await compare();
  await edge.abort('AuditLedger', 'default', 'loseAlarm');
  await fetch(`${edge.url}/api/jobs`);
  expect(await ended(path)).toMatchObject({ status: 'completed' });
}, 300_000);

test('a run that is cut off too often ends as interrupted', async () => {
  const earlier = new Set((await readJobs()).map(({ jobId }) => jobId));
  const path = await compare();
  for (let time = 0; time < 4; time++) await cutOff();
  const interrupted = JSON.parse(RUN_INTERRUPTED) as { message: string };
  expect(await ended(path)).toMatchObject({ status: 'failed', error: interrupted });
  const jobs = (await readJobs()).filter(({ jobId }) => !earlier.has(jobId));
  expect(jobs).toMatchObject([{ status: 'failed', lastError: `interrupted: ${interrupted.message}` }]);
}, 600_000);
