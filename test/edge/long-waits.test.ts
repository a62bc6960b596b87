/**
 * What mostly waits: for the retry of a delivery, for the alarm of a stream without a pump, and for the retries of SDKs.
 * All run at once, each in a workerd of its own.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test, vi } from 'vitest';
import { streamIdOfProxy } from '../../src/proxy/index.js';
import { runSdks } from '../faults/sdks.js';
import { KILLED_EDGE } from '../support/edge-victims.js';
import { type FaultyEdge, startFaultyEdge } from '../support/faulty-edge.js';
import { listenHttp } from '../support/listen.js';
import { untilShown } from '../support/proxy-bench.js';

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Requests an endless response and waits until its first bytes are stored; returns the name of the stream's object. */
async function pipe({ url }: FaultyEdge, upstream: string): Promise<string> {
  const headers = { 'upstream-url': upstream, 'upstream-method': 'GET' };
  const made = await fetch(`${url}/v1/proxy`, { method: 'POST', headers });
  expect(made.status).toBe(201);
  const location = new URL(made.headers.get('location') ?? '');
  await untilShown(location.href, 'before');
  return streamIdOfProxy(basename(location.pathname));
}

/** Returns the stored rows of an object's stream. Call it while no process runs. */
function recordedIn(folder: string, object: string): unknown {
  const files = readdirSync(folder, { recursive: true }).map(String);
  const file = files.find((name) => name.endsWith(`${object}.sqlite`));
  const database = new Database(join(folder, file ?? object), { readonly: true });
  const { closed, metadata } = database.prepare('SELECT closed, metadata FROM streams').get() as {
    closed: number;
    metadata: string;
  };
  database.close();
  return { closed, ...JSON.parse(metadata) };
}

describe.concurrent('at the same time', () => {
  test('the ledger delivers the outcome of a job, signed, and again after a refusal, also across a kill', async ({
    onTestFinished,
  }) => {
    const received: Delivery[] = [];
    const target = await listenHttp((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        if (request.url !== '/hook') return response.end('hello');
        received.push({ headers: request.headers, body });
        return response.writeHead(received.length === 1 ? 500 : 204).end();
      });
    });
    const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-webhooks-'));
    const start = () => startFaultyEdge({ folder, variables: { SONDE_ALLOW_PRIVATE: target.origin } });
    let edge = await start();
    onTestFinished(async () => {
      await edge.stop();
      await target.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(edge.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { secret: string; jobId: string };
    };
    const { secret } = await post('/api/webhooks', { url: `${target.origin}/hook`, events: ['hello.done'] });
    const { jobId } = await post('/api/jobs', { kind: 'hello', url: `${target.origin}/` });
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 90_000 });
    await edge.kill();
    edge = await start();
    // No request wakes the object: its alarm fires when the delivery is due.
    await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 90_000, interval: 200 });
    const [first, second] = received;
    const {
      'webhook-id': id,
      'webhook-timestamp': stamp,
      'webhook-signature': signature,
    } = second?.headers ?? {};
    expect(id).toBe(first?.headers['webhook-id']);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${stamp}.${second?.body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      type: 'hello.done',
      data: { jobId, status: 'done' },
    });
  }, 300_000);

  test('a stream that lost its pump by a kill or an abort is ended by its alarm, without a request', async ({
    onTestFinished,
  }) => {
    const upstream = await listenHttp((_request, response) => void response.write('before'));
    const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-orphans-'));
    const variables = { SONDE_PROXY_ALLOW: `private:127.0.0.1:${upstream.port}` };
    const start = () => startFaultyEdge({ folder, variables, abortable: true });
    let edge = await start();
    onTestFinished(async () => {
      await edge.stop();
      await upstream.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const killed = await pipe(edge, upstream.origin);
    await edge.kill();
    edge = await start();
    const aborted = await pipe(edge, upstream.origin);
    await edge.abort('HotBuffer', aborted);
    const namespace = await edge.objects('HotBuffer');
    const orphans = [killed, aborted].map((name) => namespace.idFromName(name).toString());
    // From now on no request reaches them: only their alarms can start them.
    await fetch(`${edge.url}/test/started`, { method: 'DELETE' });
    const started = async () => (await fetch(`${edge.url}/test/started`)).json();
    await vi.waitFor(async () => expect(await started()).toEqual(expect.arrayContaining(orphans)), {
      // The heartbeat of a pump is 30 s.
      timeout: 75_000,
      interval: 200,
    });
    await edge.kill();
    const lost = { closed: 1, outcome: 'failed', error: 'PUMP_LOST' };
    expect(orphans.map((object) => recordedIn(folder, object))).toMatchObject([lost, lost]);
  }, 120_000);

  test('three SDKs with default retries: one upstream call per attempt, every token exactly once', async () => {
    const { streams } = await runSdks(1, 7, KILLED_EDGE);
    expect(streams).toBe(24);
  }, 600_000);
});
