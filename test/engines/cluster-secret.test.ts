/**
 * Processes of a cluster share one secret: one of them can open and sign with what another sealed. The API process here
 * runs no jobs, so the other process must have done all the work.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';

const SHARED = 'the-secret-that-a-whole-cluster-shares';
const OTHER = 'the-secret-of-somebody-else-altogether';
const folder = mkdtempSync(join(tmpdir(), 'sonde-cluster-secret-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let target: Listening;
let authorizations: (string | undefined)[] = [];
let received: { headers: Record<string, unknown>; body: string }[] = [];
beforeAll(async () => {
  target = await listenHttp((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      if (request.url === '/hook') received.push({ headers: request.headers, body });
      else authorizations.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'text/plain' }).end('text');
    });
  });
});
afterAll(() => target.close());

let databaseUrl: string;
const running: ServedForTest[] = [];
beforeEach(async () => {
  databaseUrl = await newDatabase();
  authorizations = [];
  received = [];
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

let folders = 0;
async function start(concurrency: number, webhookSecret?: string): Promise<ServedForTest> {
  const limits = { concurrency, maxAttempts: 1, pollMs: 100 };
  const server = await serveForTest({
    // Separate machines: neither has the other's key file.
    dataDir: join(folder, String(folders++)),
    net: { allowPrivate: [target.origin] },
    jobs: { ...JOB_OPTIONS, ...limits, databaseUrl, ...(webhookSecret && { webhookSecret }) },
  });
  running.push(server);
  return server;
}

async function post<Body>({ url }: ServedForTest, path: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as Body;
}

const hook = (server: ServedForTest) =>
  post<{ secret: string }>(server, '/api/webhooks', { url: `${target.origin}/hook`, events: ['hello.done'] });
const hello = (server: ServedForTest) =>
  post<{ jobId: string }>(server, '/api/jobs', { kind: 'hello', url: `${target.origin}/` });

function expectSignedBy(secret: string): void {
  const [{ headers, body } = { headers: {}, body: '' }] = received as Partial<typeof received>;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
}

async function comparison(server: ServedForTest) {
  const { comparisonId } = await post<{ comparisonId: string }>(server, '/api/compare', {
    leftUrl: `${target.origin}/left`,
    rightUrl: `${target.origin}/right`,
    leftHeaders: { authorization: 'Bearer staging' },
    samples: 1,
    profile: 'core',
  });
  const events = { headers: { accept: 'text/event-stream' } };
  await (await fetch(`${server.url}/api/compare/${comparisonId}/events`, events)).text();
  return (await (await fetch(`${server.url}/api/compare/${comparisonId}`)).json()) as {
    status: string;
    error?: { code: string; message: string };
  };
}

test('a webhook created by one process is signed by another with the secret its receiver was given', async () => {
  const api = await start(0, SHARED);
  await start(10, SHARED);
  const { secret } = await hook(api);
  await hello(api);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
  expectSignedBy(secret);
});

test('a process with another secret leaves the delivery to one that has it', async () => {
  const api = await start(0, SHARED);
  await start(10, OTHER);
  const { secret } = await hook(api);
  const { jobId } = await hello(api);
  const statusOf = async () => {
    const [row] = await runSql(databaseUrl, 'SELECT status FROM audit_jobs WHERE job_id = $1', [jobId]);
    return row?.['status'];
  };
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('done');
  await start(10, SHARED);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
  expectSignedBy(secret);
  const tries = await runSql(databaseUrl, 'SELECT attempt FROM webhook_deliveries');
  expect(tries).toEqual([{ attempt: 1 }]);
});

test('headers of a side sealed by one process are opened by another', async () => {
  const api = await start(0, SHARED);
  await start(10, SHARED);
  expect(await comparison(api)).toMatchObject({ status: 'completed' });
  expect(authorizations.toSorted()).toEqual(['Bearer staging', undefined]);
});

test('without a shared secret the comparison reports what is missing, and sends nothing', async () => {
  const api = await start(0);
  await start(10);
  const { status, error } = await comparison(api);
  expect(status).toBe('failed');
  expect(error).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('SONDE_SEALING_SECRET') });
  expect(authorizations).toEqual([]);
});
