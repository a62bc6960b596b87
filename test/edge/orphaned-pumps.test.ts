import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { streamIdOfProxy } from '../../src/proxy/index.js';
import { type FaultyEdge, startFaultyEdge } from '../support/faulty-edge.js';
import { listenHttp } from '../support/listen.js';
import { untilShown } from '../support/proxy-bench.js';

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

test('a stream that lost its pump by a kill or an abort is ended by its alarm, without a request', async () => {
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
