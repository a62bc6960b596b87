import { afterEach, beforeEach, expect, test } from 'vitest';
import { StreamHarness } from '../support/stream-harness.js';

/** What responses report about a whole stream: size, write units, expiry and closure. */
const TEXT = { 'Content-Type': 'text/plain' };
let harness: StreamHarness;

beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 10_000 });
});
afterEach(() => harness.stop());

const append = (path: string, bytes: number, headers: Record<string, string> = {}) =>
  harness.ask('append', path, { headers: { ...TEXT, ...headers }, body: 'x'.repeat(bytes) });

async function factsOf(path: string): Promise<(string | undefined)[]> {
  const { headers } = await harness.ask('head', path);
  const read = await harness.ask('read', path, { query: { offset: 'now' } });
  const names = ['Stream-Total-Size', 'Stream-Write-Units', 'Stream-Expires-At'];
  expect(names.map((name) => read.headers[name])).toEqual(names.map((name) => headers[name]));
  return names.map((name) => headers[name]);
}

test('an append costs one write unit per started 4 KB; sizes survive sealing, restarts and forks', async () => {
  await harness.ask('create', 's', { headers: TEXT, body: 'x' });
  expect(await factsOf('s')).toEqual(['1', '1', undefined]);
  for (const bytes of [4096, 4097, 1, 8192]) expect((await append('s', bytes)).status).toBe(204);
  expect(await factsOf('s')).toEqual(['16387', '7', undefined]);
  await harness.service.settled();
  await harness.restart();
  expect(await factsOf('s')).toEqual(['16387', '7', undefined]);
  await harness.ask('create', 'f', { headers: { 'Stream-Forked-From': 's' } });
  await append('f', 10);
  expect((await factsOf('f'))[0]).toBe('16397');
  await harness.ask('create', 'closed', { headers: TEXT });
  await harness.ask('append', 'closed', { headers: { 'Stream-Closed': 'true' } });
  expect(await factsOf('closed')).toEqual(['0', '0', undefined]);
});

test('a fork has the bytes up to its offset: inside a sealed chunk, at its end or before it', async () => {
  await harness.ask('create', 's', { headers: TEXT });
  const offsets: string[] = [];
  for (const bytes of [4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 500]) {
    offsets.push((await append('s', bytes)).headers['Stream-Next-Offset'] ?? '');
  }
  await harness.service.settled();
  const sizes: (string | undefined)[] = [];
  for (const [index, offset] of offsets.entries()) {
    const headers = { 'Stream-Forked-From': 's', 'Stream-Fork-Offset': offset };
    expect((await harness.ask('create', `f${index}`, { headers })).status).toBe(201);
    sizes.push((await factsOf(`f${index}`))[0]);
    expect((await harness.ask('read', `f${index}`)).bytes).toHaveLength(Number(sizes.at(-1)));
  }
  expect(sizes).toEqual(['4000', '8000', '12000', '16000', '20000', '24000', '24500']);
});

test('a stream expires at a fixed time, or a fixed time after its last use', async () => {
  const at = new Date(harness.now + 3_600_000).toISOString();
  await harness.ask('create', 'fixed', { headers: { ...TEXT, 'Stream-Expires-At': at } });
  await harness.ask('create', 'sliding', { headers: { ...TEXT, 'Stream-TTL': '60' } });
  harness.now += 30_000;
  await append('fixed', 1);
  await append('sliding', 1);
  expect((await factsOf('fixed'))[2]).toBe(at);
  expect((await factsOf('sliding'))[2]).toBe(new Date(harness.now + 60_000).toISOString());
});

test.each(['true', 'TRUE', 'True', ' tRuE '])('Stream-Closed: %s closes', async (value) => {
  await harness.ask('create', 's', { headers: TEXT });
  expect((await append('s', 1, { 'Stream-Closed': value })).headers['Stream-Closed']).toBe('true');
  expect(await append('s', 1)).toMatchObject({ status: 409, code: 'STREAM_CLOSED' });
});

test.each(['false', '1', 'yes', 'true,', 'truee', ''])('Stream-Closed: "%s" is ignored', async (value) => {
  await harness.ask('create', 's', { headers: TEXT });
  expect((await append('s', 1, { 'Stream-Closed': value })).headers['Stream-Closed']).toBeUndefined();
  expect((await append('s', 1)).status).toBe(204);
});

test('a bounded read ends at the end of a chunk, never at a fork point inside one', async () => {
  await harness.stop();
  harness = await StreamHarness.start({ chunkBytes: 1_000, limits: { readBytes: 100 } });
  await harness.ask('create', 's', { headers: TEXT, body: 'x'.repeat(50) });
  await harness.ask('create', 'f', { headers: { 'Stream-Forked-From': 's' } });
  await append('f', 80);
  const read = await harness.ask('read', 'f');
  expect([read.bytes.length, read.headers['Stream-Up-To-Date']]).toEqual([130, 'true']);
  await append('f', 1_000);
  await append('f', 20);
  const first = await harness.ask('read', 'f');
  expect([first.bytes.length, first.headers['Stream-Up-To-Date']]).toEqual([1_130, undefined]);
  const query = { offset: first.headers['Stream-Next-Offset'] ?? '' };
  const rest = await harness.ask('read', 'f', { query });
  expect([rest.bytes.length, rest.headers['Stream-Up-To-Date']]).toEqual([20, 'true']);
});
