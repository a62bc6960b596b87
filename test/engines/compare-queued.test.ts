/** Queued comparisons: how they are shown, how many are allowed, and how they end. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RUN_INTERRUPTED } from '../../src/compare/index.js';
import { openRecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { JOB_OPTIONS, RECORDS_WORKER_URL, type ServedForTest, serveForTest } from '../support/serve.js';

let server: ServedForTest;
beforeAll(async () => {
  server = await serveForTest({ jobs: { ...JOB_OPTIONS, concurrency: 0 } });
});
afterAll(() => server.stop());

const post = (path: string, body: object, url = server.url) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const create = (more: object = {}, url = server.url) => {
  const pair = { leftUrl: 'https://staging.example.com/', rightUrl: 'https://www.example.com/' };
  return post('/api/compare', { ...pair, ...more }, url);
};
const idOf = async (response: Response) => ((await response.json()) as { comparisonId: string }).comparisonId;
const show = async (id: string, url = server.url) =>
  (await fetch(`${url}/api/compare/${id}`)).json() as Promise<{ status: string }>;

test('a queued comparison is shown as running, with or without a pending explanation', async () => {
  const pending = await show(await idOf(await create()));
  expect(pending).toMatchObject({ status: 'running', explanationState: 'pending' });
  expect(pending).not.toHaveProperty('result');
  expect(await show(await idOf(await create({ explain: false })))).toMatchObject({
    status: 'running',
    explanationState: 'off',
  });
});

test('a pair has at most twenty running comparisons; the next is refused until one has ended', async () => {
  const pair = { leftUrl: 'https://left.example.com/' };
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await idOf(await create(pair)));
  const refused = await create(pair);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: 'too_many_running', limit: 20 } });
  expect((await create({ leftUrl: 'https://other.example.com/' })).status).toBe(201);
  const jobId = ids[0]?.split(':')[1] ?? '';
  expect((await post(`/api/jobs/${jobId}/cancel`, {})).status).toBe(200);
  expect(await show(ids[0] ?? '')).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  expect((await create(pair)).status).toBe(201);
});

/** Claims the queued comparison twice, like a worker that dies at once. Only the first lease is reaped here. */
async function claimAndDie(dataDir: string): Promise<void> {
  const host = await openRecordsHost({ path: join(dataDir, 'records.db'), workerUrl: RECORDS_WORKER_URL });
  const claim = {
    workerId: 'dead',
    kinds: ['compare'],
    limit: 10,
    leaseMs: 0,
    runningMax: 10,
    after: null,
  } as const;
  const reap = { limit: 1, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [0] };
  expect((await host.stores.jobs.claim(claim)).jobs).toHaveLength(1);
  expect(await host.stores.jobs.reap(reap)).toMatchObject([{ status: 'queued' }]);
  expect((await host.stores.jobs.claim(claim)).jobs).toHaveLength(1);
  await host.close();
}

test('a comparison whose workers died ends with its job once no attempts are left', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-dead-worker-'));
  const jobs = { ...JOB_OPTIONS, maxAttempts: 2 };
  const before = await serveForTest({ dataDir, jobs: { ...jobs, concurrency: 0 } });
  const id = await idOf(await create({}, before.url));
  await before.stop();
  await claimAndDie(dataDir);
  const after = await serveForTest({ dataDir, jobs });
  try {
    await vi.waitUntil(async () => (await show(id, after.url)).status !== 'running', { timeout: 10_000 });
    expect(await show(id, after.url)).toMatchObject({ status: 'failed', error: JSON.parse(RUN_INTERRUPTED) });
  } finally {
    await after.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
