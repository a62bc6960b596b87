/** Streams of the Worker: the bucket, restarts, expiry, settings and tenants. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { EDGE_VARIABLES } from '../support/serve-edge.js';

const stateFolder = () => mkdtempSync(join(tmpdir(), 'sonde-edge-'));
let running: RunningEdge | undefined;
let folder = '';

async function start(variables: Record<string, string> = {}): Promise<RunningEdge> {
  running = await startEdge({ stateFolder: folder, variables: { ...EDGE_VARIABLES, ...variables } });
  return running;
}

afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const BYTES = { 'content-type': 'application/octet-stream' };

test('a full chunk is moved to the bucket, and every byte is still there after a restart', async () => {
  folder = stateFolder();
  let { url, bucketKeys } = await start();
  const body = new Uint8Array(5 * 1024 ** 2).map((_, i) => (i * 7 + (i >> 9)) & 0xff);
  await fetch(`${url}/v1/stream/long`, { method: 'PUT', headers: BYTES });
  await fetch(`${url}/v1/stream/long`, { method: 'POST', headers: BYTES, body });
  await fetch(`${url}/v1/stream/long`, { method: 'POST', headers: BYTES, body: 'tail' });
  await vi.waitFor(async () => expect(await bucketKeys()).toHaveLength(1), { timeout: 90_000 });
  for (let life = 0; life < 2; life++) {
    const read = Buffer.from(await (await fetch(`${url}/v1/stream/long`)).arrayBuffer());
    expect(read.length).toBe(body.length + 4);
    expect(Buffer.compare(read, Buffer.concat([body, Buffer.from('tail')]))).toBe(0);
    if (life === 0) {
      await running?.stop();
      ({ url, bucketKeys } = await start());
    }
  }
  // A fork reads its source's bytes through the source's object and the bucket.
  const fork = { ...BYTES, 'stream-forked-from': '/v1/stream/long' };
  expect((await fetch(`${url}/v1/stream/fork`, { method: 'PUT', headers: fork })).status).toBe(201);
  expect((await (await fetch(`${url}/v1/stream/fork`)).arrayBuffer()).byteLength).toBe(body.length + 4);
  await fetch(`${url}/v1/stream/long`, { method: 'DELETE' });
  expect((await (await fetch(`${url}/v1/stream/fork`)).arrayBuffer()).byteLength).toBe(body.length + 4);
  await fetch(`${url}/v1/stream/fork`, { method: 'DELETE' });
  await vi.waitFor(async () => expect(await bucketKeys()).toEqual([]), { timeout: 90_000 });
});

test('an expired stream is removed by its alarm, without a request', async () => {
  folder = stateFolder();
  const { url, bucketKeys } = await start();
  const headers = { ...BYTES, 'stream-ttl': '8' };
  await fetch(`${url}/v1/stream/short`, { method: 'PUT', headers, body: new Uint8Array(4 * 1024 ** 2) });
  await vi.waitFor(async () => expect(await bucketKeys()).toHaveLength(1), { timeout: 90_000 });
  await vi.waitFor(async () => expect(await bucketKeys()).toEqual([]), { timeout: 90_000, interval: 200 });
  expect((await fetch(`${url}/v1/stream/short`)).status).toBe(404);
});

test('a setting that has no effect here is refused by name, with the reason', async () => {
  folder = stateFolder();
  const idle = { SONDE_PROXY_STREAMS_MAX: '5', SONDE_TRUST_PROXY: '10.0.0.1' };
  await expect(start(idle)).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
    message: expect.stringMatching(
      /server\.trustProxy: has no effect.*SONDE_TRUST_PROXY.*proxy\.streamsMax: has no effect.*SONDE_PROXY_STREAMS_MAX/,
    ),
  });
  await expect(start({ SONDE_PROXY_STREAM_MAX: '5' })).rejects.toMatchObject({ code: 'CONFIG_UNKNOWN_KEY' });
});

test('refuses an append beyond the largest size of a stream', async () => {
  folder = stateFolder();
  const { url } = await start({ SONDE_STREAM_BYTES_MAX: '2KiB' });
  const send = (method: string, bytes: number) =>
    fetch(`${url}/v1/stream/full`, { method, headers: BYTES, body: 'x'.repeat(bytes) });
  expect((await send('PUT', 2_000)).status).toBe(201);
  expect((await send('POST', 49)).status).toBe(413);
  expect((await send('POST', 48)).status).toBe(204);
});

test('authenticates callers, and keeps tenants separate', async () => {
  folder = stateFolder();
  const token = (name: string) => `${name}-token-of-more-than-32-characters`;
  const { url } = await start({
    SONDE_AUTH: 'jwt',
    SONDE_SERVICE_TOKENS: JSON.stringify([
      { token: token('a'), tenant: 'a', scopes: ['stream:read', 'stream:write'] },
      { token: token('b'), tenant: 'b', scopes: ['stream:read'] },
    ]),
  });
  const ask = (method: string, name?: string) =>
    fetch(`${url}/v1/stream/x`, {
      method,
      headers: { ...BYTES, ...(name && { authorization: `Bearer ${token(name)}` }) },
    });
  expect((await ask('PUT')).status).toBe(401);
  expect((await ask('PUT', 'b')).status).toBe(403);
  expect((await ask('PUT', 'a')).status).toBe(201);
  expect((await ask('GET', 'a')).status).toBe(200);
  expect((await ask('GET', 'b')).status).toBe(404);
});
