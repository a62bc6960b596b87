/**
 * Two processes on one PostgreSQL. The one that runs jobs polls every half minute at the earliest and sends a heartbeat
 * every ten seconds, so only a notification can reach it sooner.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { useLoopTime } from '../support/loop-time.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';

const POLL_MS = 60_000;
/** A poll or a heartbeat may be close by chance, but not every time: this many of either take twice `ALL_MS`. */
const TIMES = 12;
const ALL_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'sonde-cluster-hints-'));

let target: Listening;
let api: ServedForTest;
let worker: ServedForTest;
const onSlow: (() => void)[] = [];

beforeAll(async () => {
  target = await listenHttp((request, response) => {
    if (request.url === '/slow') return onSlow.shift()?.();
    response.end('hello');
  });
  const databaseUrl = await newDatabase();
  const start = (name: string, concurrency: number) =>
    serveForTest({
      dataDir: join(folder, name),
      net: { allowPrivate: [target.origin] },
      jobs: { ...JOB_OPTIONS, concurrency, pollMs: POLL_MS, databaseUrl },
    });
  api = await start('api', 0);
  worker = await start('worker', 10);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(path: string, init?: RequestInit) {
  const response = await fetch(api.url + path, { headers: { 'content-type': 'application/json' }, ...init });
  return (await response.json()) as { jobId: string; status: string };
}
const hello = (path: string) =>
  ask('/api/jobs', { method: 'POST', body: JSON.stringify({ kind: 'hello', url: target.origin + path }) });

const loopMs = useLoopTime();

async function within<T>(ms: number, act: Promise<T>): Promise<T> {
  const startedAt = loopMs();
  const result = await act;
  expect(loopMs() - startedAt).toBeLessThan(ms);
  return result;
}

const ended = async (jobId: string) => {
  const events = { headers: { accept: 'text/event-stream' } };
  await (await fetch(`${api.url}/api/jobs/${jobId}/events`, events)).text();
  return ask(`/api/jobs/${jobId}`);
};

test('a notification starts a job before the next poll', async () => {
  // Once one job is done, any polling of the start itself is over.
  await ended((await hello('/')).jobId);
  const begin = async () => {
    for (let n = 0; n < TIMES; n++)
      expect(await ended((await hello('/')).jobId)).toMatchObject({ status: 'done' });
  };
  await within(ALL_MS, begin());
}, 120_000);

test('a running job is canceled at once, not at the next heartbeat', async () => {
  const cancel = async () => {
    for (let n = 0; n < TIMES; n++) {
      const asked = new Promise<void>((resolve) => onSlow.push(resolve));
      const { jobId } = await hello('/slow');
      await asked;
      await ask(`/api/jobs/${jobId}/cancel`, { method: 'POST', body: '{}' });
      expect(await ended(jobId)).toMatchObject({ status: 'canceled' });
    }
  };
  await within(ALL_MS, cancel());
}, 120_000);
