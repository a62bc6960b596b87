import { afterEach, beforeEach, expect, test } from 'vitest';
import { StreamHarness } from '../support/stream-harness.js';

/** What answers say of a whole stream: its size, what it cost to write, when it ends, and whether it has. */
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

test('a write unit for each started 4 KB of an append; sizes outlive sealing, restarts and forks', async () => {
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

test('when a stream ends: at a fixed time, or so long after its last use', async () => {
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

test.each(['false', '1', 'yes', 'true,', 'truee', ''])('Stream-Closed: "%s" means nothing', async (value) => {
  await harness.ask('create', 's', { headers: TEXT });
  expect((await append('s', 1, { 'Stream-Closed': value })).headers['Stream-Closed']).toBeUndefined();
  expect((await append('s', 1)).status).toBe(204);
});
