/** What an operator must see: queues that stand still, receivers that fail, the disk, the database and workers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { startPgProxy } from '../support/pg-proxy.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';
import { sonde, startSonde } from './cli-process.js';

let folder: string;
let receiver: Listening;
let status = 500;
const servers: ServedForTest[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-metrics-'));
  status = 500;
  receiver = await listenHttp((call, response) => {
    call.resume();
    response.writeHead(status).end('{}');
  });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const JSON_TYPE = { 'content-type': 'application/json' };

async function start(jobs: object = {}): Promise<ServedForTest> {
  const server = await serveForTest({
    dataDir: folder,
    jobs: { ...JOB_OPTIONS, ...jobs },
    net: { allowPrivate: [receiver.origin] },
  });
  servers.push(server);
  return server;
}

type Samples = Readonly<Record<string, number>>;

async function metricsOf(url: string): Promise<Samples> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

async function post(server: ServedForTest, path: string, body: unknown): Promise<void> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });
  expect([path, response.status]).toEqual([path, expect.toBeOneOf([201, 202])]);
}

const hello = (server: ServedForTest, n: number) =>
  post(server, '/api/jobs', { kind: 'hello', url: `${receiver.origin}/${n}` });

const ENGINES = [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ databaseUrl: await newDatabase() })],
] as const;

test.each(ENGINES)(
  '%s: a queue that stands still is visible, and so is what ended',
  async (_name, engine) => {
    const jobs = await engine();
    const idle = await start({ ...jobs, concurrency: 0 });
    for (let n = 0; n < 3; n++) await hello(idle, n);
    await expect
      .poll(async () => (await metricsOf(idle.url))['sonde_jobs_oldest_ready_seconds'])
      .toBeGreaterThan(0.5);
    expect(await metricsOf(idle.url)).toMatchObject({
      'sonde_jobs{status="queued"}': 3,
      'sonde_jobs{status="running"}': 0,
    });
    await servers.pop()?.stop();
    status = 200;
    const busy = await start(jobs);
    await expect
      .poll(async () => (await metricsOf(busy.url))['sonde_job_attempts_total{outcome="done"}'], {
        timeout: 20_000,
      })
      .toBe(3);
    expect(await metricsOf(busy.url)).toMatchObject({
      'sonde_jobs{status="queued"}': 0,
      sonde_jobs_oldest_ready_seconds: 0,
    });
  },
  60_000,
);

test.each(ENGINES)(
  '%s: receivers that fail are visible until they recover',
  async (_name, engine) => {
    const server = await start(await engine());
    await post(server, '/api/webhooks', {
      url: `${receiver.origin}/hook`,
      events: ['hello.canceled', 'hello.done'],
    });
    const made = await fetch(`${server.url}/v1/stream/__ds/subscriptions/all`, {
      method: 'PUT',
      headers: JSON_TYPE,
      body: JSON.stringify({ type: 'webhook', pattern: '*', webhook: { url: `${receiver.origin}/wake` } }),
    });
    expect(made.status).toBe(201);
    await fetch(`${server.url}/v1/stream/notes`, { method: 'PUT', headers: JSON_TYPE, body: '[{"n":1}]' });
    await post(server, '/api/jobs', { kind: 'hello', url: `${receiver.origin}/1` });
    const listed = await (await fetch(`${server.url}/api/jobs`)).json();
    const { jobId } = (listed as { jobs: { jobId: string }[] }).jobs[0] as { jobId: string };
    // The target fails too, so its job waits for its next attempt and can be canceled.
    await fetch(`${server.url}/api/jobs/${jobId}/cancel`, { method: 'POST', headers: JSON_TYPE });
    const seen = async (name: string) => (await metricsOf(server.url))[name] ?? Number.NaN;
    const waiting = 'sonde_webhook_deliveries_waiting{state="retrying"}';
    await expect.poll(() => seen(waiting), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => seen('sonde_subscriptions_failing'), { timeout: 20_000 }).toBe(1);
    const failing = await metricsOf(server.url);
    expect(failing['sonde_webhook_oldest_seconds']).toBeGreaterThan(0);
    expect(failing['sonde_webhook_attempts_total{outcome="again"}']).toBeGreaterThan(0);
    expect(failing['sonde_subscription_attempts_total{outcome="failed"}']).toBeGreaterThan(0);
    expect(failing['sonde_webhook_deliveries_waiting{state="key_missing"}']).toBe(0);
    status = 200;
    await expect
      .poll(() => seen('sonde_webhook_attempts_total{outcome="delivered"}'), { timeout: 30_000 })
      .toBe(1);
    await expect.poll(() => seen('sonde_subscriptions_failing'), { timeout: 30_000 }).toBe(0);
    expect(await seen(waiting)).toBe(0);
  },
  90_000,
);

test('streams, the disk and the logs are measured', async () => {
  const server = await start();
  for (const name of ['a', 'b']) {
    await fetch(`${server.url}/v1/stream/${name}`, { method: 'PUT', headers: JSON_TYPE });
  }
  await fetch(`${server.url}/v1/stream/a`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'stream-closed': 'true' },
  });
  const found = await metricsOf(server.url);
  expect(found).toMatchObject({ sonde_streams_open: 1, sonde_streams_damaged: 0, sonde_attention_items: 0 });
  for (const name of ['sonde_disk_free_bytes', 'sonde_disk_size_bytes', 'sonde_log_bytes{store="streams"}']) {
    expect([name, found[name]]).toEqual([name, expect.any(Number)]);
    expect(found[name]).toBeGreaterThan(0);
  }
});

test('a stalled database hides only its own metrics, within two seconds', async () => {
  const proxy = await startPgProxy(await newDatabase());
  try {
    const server = await start({ concurrency: 0, databaseUrl: proxy.url });
    const before = await metricsOf(server.url);
    expect(before['sonde_jobs{status="queued"}']).toBe(0);
    expect(before['sonde_postgres_connections{state="idle"}']).toBeGreaterThan(0);
    expect(before['sonde_postgres_call_seconds_count{outcome="ok"}']).toBeGreaterThan(0);
    proxy.stall();
    const stalled = await metricsOf(server.url);
    expect(stalled['sonde_jobs{status="queued"}']).toBeUndefined();
    expect(stalled['sonde_streams_open']).toBe(0);
    proxy.resume();
    await expect.poll(async () => (await metricsOf(server.url))['sonde_jobs{status="queued"}']).toBe(0);
  } finally {
    await servers.pop()?.stop();
    await proxy.close();
  }
}, 60_000);

/** `fetch` does not send another `Host`. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('a worker has a port only if asked, with health, readiness and metrics', async () => {
  const env = { DATABASE_URL: await newDatabase() };
  const worker = startSonde(['worker', '--data', folder, '--health-port', '0', '--json'], { env });
  const line = await new Promise<string>((resolve) =>
    worker.stdout.once('data', (data) => resolve(String(data))),
  );
  const { url } = JSON.parse(line) as { url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: 'ok' });
  expect(await (await fetch(`${url}/api/ready`)).json()).toMatchObject({
    status: 'ready',
    dependencies: [{ name: 'jobs', state: 'ok' }],
  });
  expect(await metricsOf(url)).toMatchObject({ 'sonde_jobs{status="queued"}': 0 });
  expect((await fetch(`${url}/api/jobs`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  expect(await statusFor(`${url}/metrics`, 'rebound.example.com')).toBe(404);
  worker.kill('SIGTERM');
  await new Promise((resolve) => worker.once('exit', resolve));
  expect(worker.exitCode).toBe(0);

  const silent = startSonde(['worker', '--data', folder, '--json'], { env });
  const said = await new Promise<string>((resolve) =>
    silent.stdout.once('data', (data) => resolve(String(data))),
  );
  expect(JSON.parse(said)).not.toHaveProperty('url');
  const taken = await sonde(['worker', '--data', folder, '--health-port', new URL(receiver.origin).port], {
    env,
  });
  expect([taken.code, taken.stderr]).toEqual([
    4,
    expect.stringContaining('worker.healthPort: cannot listen'),
  ]);
}, 60_000);
