/** Settings for streams, live reads and the proxy's writes take effect in a server started with them. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { type Listening, listenHttp } from '../support/listen.js';

/** Far below the default of 60 s, after which a live response ends anyway. */
const PATIENCE_MS = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'sonde-live-bounds-'));
let upstream: Listening;
/** Responses that have started: the head was sent and nothing else. */
const begun: ServerResponse[] = [];
let server: BuiltServer;

beforeAll(async () => {
  upstream = await listenHttp((request, response) => {
    if (request.url !== '/answer') return;
    response.flushHeaders();
    begun.push(response);
  });
  const flags = {
    '--stream-bytes-max': '2KiB',
    '--sse-ms': '300',
    '--long-poll-ms': '1s',
    '--proxy-flush-bytes': '256KiB',
    '--proxy-flush-ms': '10s',
    '--proxy-allow': `private:127.0.0.1:${upstream.port}`,
    '--allow-private': upstream.origin,
  };
  server = await startBuiltServer({ folder, args: Object.entries(flags).flat() });
});
afterAll(async () => {
  await server?.kill();
  await upstream?.close();
  rmSync(folder, { recursive: true, force: true });
});

const patient = () => AbortSignal.timeout(PATIENCE_MS);

test('a live read of an open stream ends after its time limit and returns the next offset', async () => {
  const url = `${server.url}/v1/stream/open`;
  await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'so far' });
  const response = await fetch(`${url}?offset=-1&live=sse`, { signal: patient() });
  const text = await response.text();
  expect(text).toContain('data:so far');
  expect(text).toContain('"streamNextOffset"');
  expect(text).not.toContain('"streamClosed":true');
});

test('an append beyond the largest size of a stream is refused and changes nothing', async () => {
  const url = `${server.url}/v1/stream/full`;
  const headers = { 'content-type': 'text/plain' };
  await fetch(url, { method: 'PUT', headers, body: 'x'.repeat(2_000) });
  const refused = await fetch(url, { method: 'POST', headers, body: 'y'.repeat(49) });
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { code: 'STREAM_TOO_LARGE' } },
  ]);
  expect((await fetch(url, { method: 'POST', headers, body: 'y'.repeat(48) })).status).toBe(204);
  expect(await (await fetch(`${url}?offset=-1`)).text()).toBe('x'.repeat(2_000) + 'y'.repeat(48));
});

test('events of a running job end after the same time', async () => {
  const made = await fetch(`${server.url}/api/audits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${upstream.origin}/silent` }),
  });
  const { auditId } = (await made.json()) as { auditId: string };
  const path = `${server.url}/api/audits/${auditId}`;
  const headers = { accept: 'text/event-stream' };
  const events = await fetch(`${path}/events`, { headers, signal: patient() });
  expect(await events.text()).toMatch(/^retry: 1000\n/);
  expect(await (await fetch(path)).json()).toMatchObject({ status: 'running' });
});

test('a token is shown at once: the flush time limits batching and delays nothing', async () => {
  const created = await fetch(`${server.url}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': `${upstream.origin}/answer`, 'upstream-method': 'GET' },
  });
  const live = `${created.headers.get('location')}&offset=-1&live=long-poll`;
  begun[0]?.write('token');
  let shown = await fetch(live, { signal: patient() });
  // A long-poll may end, after a second, before a busy machine has the token.
  while (shown.status === 204) shown = await fetch(live, { signal: patient() });
  expect(await shown.text()).toBe('token');
});
