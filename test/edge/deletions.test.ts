import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { streamIdOf } from '../../src/streams/index.js';
import { type FaultyEdge, startFaultyEdge } from '../support/faulty-edge.js';
import { deletionsOfStreams, tablesOfObjects } from '../support/object-tables.js';

/** Segments of removed streams leave the bucket through the queue, whatever happens on the way. */
const BYTES = { 'content-type': 'application/octet-stream' };
const CHUNK = 4 * 1024 ** 2;
/** The platform's retries and pauses take hours, so here the first failure is the last. */
const HASTY = { 'sonde-deletions': { maxRetries: 0 }, 'sonde-deletions-dead': { maxBatchTimeout: 0 } };
let folder = '';
let edge: FaultyEdge;
/** The keys of other tests. */
let others: ReadonlySet<string> = new Set();

async function start(variables: Record<string, string> = {}): Promise<void> {
  edge = await startFaultyEdge({ folder, abortable: true, consumers: HASTY, variables });
}
function makeFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'sonde-edge-'));
}
async function removeAll(): Promise<void> {
  await edge.stop();
  rmSync(folder, { recursive: true, force: true });
}

const ask = (method: string, name: string, body?: BodyInit) =>
  fetch(`${edge.url}/v1/stream/${name}`, { method, headers: BYTES, ...(body !== undefined && { body }) });

const ownKeys = async () => (await edge.bucketKeys()).filter((key) => !others.has(key));

const untilKeys = (count: number) =>
  vi.waitFor(async () => expect(await ownKeys()).toHaveLength(count), { timeout: 90_000, interval: 100 });

async function sweepForADay(): Promise<void> {
  for (let hour = 0; hour < 24; hour++) await edge.sweep(new Date(hour * 3_600_000));
}

describe('on one platform', () => {
  beforeAll(async () => {
    makeFolder();
    await start();
  });
  afterAll(removeAll);
  beforeEach(async () => {
    others = new Set(await edge.bucketKeys());
  });
  afterEach(async () => void (await fetch(`${edge.url}/test/bucket-keeps`, { method: 'DELETE' })));

  test('a removed stream leaves no segment, and its name can be reused at once', async () => {
    await ask('PUT', 'a');
    await ask('POST', 'a', new Uint8Array(CHUNK).fill(1));
    await untilKeys(1);
    expect((await ask('DELETE', 'a')).status).toBe(204);
    // The first chunk of the new life has the same key as the old one; only one of them may be deleted.
    expect((await ask('PUT', 'a', new Uint8Array(CHUNK).fill(2))).status).toBe(201);
    await untilKeys(1);
    const readAgain = async () => {
      const read = new Uint8Array(await (await ask('GET', 'a')).arrayBuffer());
      expect([read.length, new Set(read)]).toEqual([CHUNK, new Set([2])]);
    };
    await vi.waitFor(readAgain, { timeout: 90_000, interval: 200 });
    expect((await ask('DELETE', 'a')).status).toBe(204);
    await untilKeys(0);
  });

  test('the alarm resends what a crash kept from being sent', async () => {
    await ask('PUT', 'b');
    await ask('POST', 'b', new Uint8Array(CHUNK));
    await untilKeys(1);
    expect((await ask('DELETE', 'b')).status).toBe(204);
    // The local engine keeps its queue in memory: an unconsumed message is lost with the process.
    await edge.kill();
    await start();
    await untilKeys(0);
  });

  test('the sweep removes a segment that no stream holds, and leaves the others', async () => {
    await ask('PUT', 'c');
    await ask('POST', 'c', new Uint8Array(CHUNK));
    await untilKeys(1);
    const [held = ''] = await ownKeys();
    const stray = held.replace(/\d{8}$/, '00000007');
    await edge.litter(stray, streamIdOf('default', 'c'));
    await edge.litter('00/of-a-stream-that-never-was/00000000', streamIdOf('default', 'never'));
    expect(await ownKeys()).toHaveLength(3);
    await sweepForADay();
    await untilKeys(1);
    expect(await ownKeys()).toEqual([held]);
  });

  test('a deletion that keeps failing lands in the dead-letter queue, and the sweep completes it', async () => {
    await ask('PUT', 'd');
    await ask('POST', 'd', new Uint8Array(CHUNK));
    await untilKeys(1);
    await fetch(`${edge.url}/test/bucket-keeps`, { method: 'PUT' });
    expect((await ask('DELETE', 'd')).status).toBe(204);
    const namespace = await edge.objects('HotBuffer');
    const object = namespace.idFromName(streamIdOf('default', 'd')).toString();
    const dead = async () => (await fetch(`${edge.url}/test/dead-letters`)).json();
    await vi.waitFor(
      async () => expect(await dead()).toContainEqual({ object, ticket: expect.any(String) }),
      {
        timeout: 90_000,
      },
    );
    // The object does not wake up on its own either: only the sweep can find the segment.
    await edge.abort('HotBuffer', streamIdOf('default', 'd'), 'loseAlarm');
    await fetch(`${edge.url}/test/bucket-keeps`, { method: 'DELETE' });
    expect(await ownKeys()).toHaveLength(1);
    await sweepForADay();
    await untilKeys(0);
  });
});

describe('on a platform of its own', () => {
  beforeEach(() => {
    makeFolder();
    others = new Set();
  });
  afterEach(removeAll);

  test('a ticket is resent after growing pauses, also across a kill', async () => {
    // Set from the start, because a due alarm does not wait for a request of the test.
    const KEEPS = { TEST_BUCKET_KEEPS: 'always' };
    const sentAt = async () => (await (await fetch(`${edge.url}/test/deletions`)).json()) as number[];
    const untilSent = () =>
      vi.waitFor(async () => expect(await sentAt()).toHaveLength(1), { timeout: 90_000, interval: 100 });
    const outbox = () => deletionsOfStreams(folder)[0] ?? { sends: 0, dueAt: 0 };
    await start(KEEPS);
    await ask('PUT', 'e');
    await ask('POST', 'e', new Uint8Array(CHUNK));
    await untilKeys(1);
    const removedAt = Date.now();
    expect((await ask('DELETE', 'e')).status).toBe(204);
    await untilSent();
    await edge.kill();
    const first = outbox();
    expect(first.sends).toBe(1);
    expect(first.dueAt - removedAt).toBeGreaterThanOrEqual(10_000);
    await start(KEEPS);
    await untilSent();
    const [sentAgainAt = 0] = await sentAt();
    expect(sentAgainAt).toBeGreaterThanOrEqual(first.dueAt);
    await edge.stop();
    const second = outbox();
    expect(second.sends).toBe(2);
    expect(second.dueAt - first.dueAt).toBeGreaterThanOrEqual(20_000);
  });

  test('a name that was only requested leaves no tables, and neither does a removed stream', async () => {
    await start();
    const somebody = streamIdOf('default', 'somebody');
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await ask(method, 'nobody')).status).toBe(404);
    expect((await ask('POST', 'nobody', 'x')).status).toBe(404);
    await ask('PUT', 'somebody');
    expect(await edge.tables(somebody)).toBeGreaterThan(0);
    expect((await ask('DELETE', 'somebody')).status).toBe(204);
    await vi.waitFor(async () => expect(await edge.tables(somebody)).toBe(0), {
      timeout: 90_000,
      interval: 100,
    });
    await edge.stop();
    expect(tablesOfObjects(folder, 'HotBuffer')).toEqual([0, 0]);
  });
});
