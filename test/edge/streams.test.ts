/** Streams of the Worker: the bucket, restarts, expiry, settings and tenants. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { EDGE_VARIABLES } from '../support/serve-edge.js';

let running: RunningEdge | undefined;
let folder = '';

async function start(variables: Record<string, string> = {}): Promise<RunningEdge> {
  running = await startEdge({
    stateFolder: folder,
    pages: false,
    variables: { ...EDGE_VARIABLES, ...variables },
  });
  return running;
}

function makeFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'sonde-edge-'));
}

async function removeAll(): Promise<void> {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
}

const BYTES = { 'content-type': 'application/octet-stream' };

describe('with default limits', () => {
  let edge: RunningEdge;
  /** The keys of other tests. */
  let others: ReadonlySet<string>;
  beforeAll(async () => {
    makeFolder();
    edge = await start();
  });
  afterAll(removeAll);
  beforeEach(async () => {
    others = new Set(await edge.bucketKeys());
  });
  const ownKeys = async () => (await edge.bucketKeys()).filter((key) => !others.has(key));

  test('a full chunk is moved to the bucket, and every byte is still there after a restart', async () => {
    let { url } = edge;
    const body = new Uint8Array(5 * 1024 ** 2).map((_, i) => (i * 7 + (i >> 9)) & 0xff);
    await fetch(`${url}/v1/stream/long`, { method: 'PUT', headers: BYTES });
    await fetch(`${url}/v1/stream/long`, { method: 'POST', headers: BYTES, body });
    await fetch(`${url}/v1/stream/long`, { method: 'POST', headers: BYTES, body: 'tail' });
    await vi.waitFor(async () => expect(await ownKeys()).toHaveLength(1), { timeout: 90_000, interval: 100 });
    for (let life = 0; life < 2; life++) {
      const read = Buffer.from(await (await fetch(`${url}/v1/stream/long`)).arrayBuffer());
      expect(read.length).toBe(body.length + 4);
      expect(Buffer.compare(read, Buffer.concat([body, Buffer.from('tail')]))).toBe(0);
      if (life === 0) {
        await edge.stop();
        edge = await start();
        ({ url } = edge);
      }
    }
    // A fork reads its source's bytes through the source's object and the bucket.
    const fork = { ...BYTES, 'stream-forked-from': '/v1/stream/long' };
    expect((await fetch(`${url}/v1/stream/fork`, { method: 'PUT', headers: fork })).status).toBe(201);
    expect((await (await fetch(`${url}/v1/stream/fork`)).arrayBuffer()).byteLength).toBe(body.length + 4);
    await fetch(`${url}/v1/stream/long`, { method: 'DELETE' });
    expect((await (await fetch(`${url}/v1/stream/fork`)).arrayBuffer()).byteLength).toBe(body.length + 4);
    await fetch(`${url}/v1/stream/fork`, { method: 'DELETE' });
    await vi.waitFor(async () => expect(await ownKeys()).toEqual([]), { timeout: 90_000, interval: 100 });
  });

  test('an expired stream is removed by its alarm, without a request', async () => {
    const { url } = edge;
    const headers = { ...BYTES, 'stream-ttl': '8' };
    await fetch(`${url}/v1/stream/short`, { method: 'PUT', headers, body: new Uint8Array(4 * 1024 ** 2) });
    await vi.waitFor(async () => expect(await ownKeys()).toHaveLength(1), { timeout: 90_000, interval: 100 });
    await vi.waitFor(async () => expect(await ownKeys()).toEqual([]), { timeout: 90_000, interval: 200 });
    expect((await fetch(`${url}/v1/stream/short`)).status).toBe(404);
  });
});

test('a setting that has no effect here is refused by name, with the reason', async () => {
  makeFolder();
  onTestFinished(removeAll);
  const idle = { SONDE_PROXY_STREAMS_MAX: '5', SONDE_TRUST_PROXY: '10.0.0.1' };
  await expect(start(idle)).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
    message: expect.stringMatching(
      /server\.trustProxy: has no effect.*SONDE_TRUST_PROXY.*proxy\.streamsMax: has no effect.*SONDE_PROXY_STREAMS_MAX/,
    ),
  });
  await expect(start({ SONDE_PROXY_STREAM_MAX: '5' })).rejects.toMatchObject({ code: 'CONFIG_UNKNOWN_KEY' });
});

describe('with authentication and a small limit', () => {
  const token = (name: string) => `${name}-token-of-more-than-32-characters`;
  let url: string;
  beforeAll(async () => {
    makeFolder();
    ({ url } = await start({
      SONDE_STREAM_BYTES_MAX: '2KiB',
      SONDE_AUTH: 'jwt',
      SONDE_SERVICE_TOKENS: JSON.stringify([
        { token: token('a'), tenant: 'a', scopes: ['stream:read', 'stream:write'] },
        { token: token('b'), tenant: 'b', scopes: ['stream:read'] },
      ]),
    }));
  });
  afterAll(removeAll);

  const headersOf = (name?: string) => ({
    ...BYTES,
    ...(name !== undefined && { authorization: `Bearer ${token(name)}` }),
  });

  test('refuses an append beyond the largest size of a stream', async () => {
    const send = (method: string, bytes: number) =>
      fetch(`${url}/v1/stream/full`, { method, headers: headersOf('a'), body: 'x'.repeat(bytes) });
    expect((await send('PUT', 2_000)).status).toBe(201);
    expect((await send('POST', 49)).status).toBe(413);
    expect((await send('POST', 48)).status).toBe(204);
  });

  test('authenticates callers, and keeps tenants separate', async () => {
    const ask = (method: string, name?: string) =>
      fetch(`${url}/v1/stream/x`, { method, headers: headersOf(name) });
    expect((await ask('PUT')).status).toBe(401);
    expect((await ask('PUT', 'b')).status).toBe(403);
    expect((await ask('PUT', 'a')).status).toBe(201);
    expect((await ask('GET', 'a')).status).toBe(200);
    expect((await ask('GET', 'b')).status).toBe(404);
  });
});
