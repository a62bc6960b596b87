import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import { type StreamCall, StreamService, type StreamStore } from '../../src/streams/index.js';
import { keepingLog } from '../support/keeping-log.js';
import { StreamHarness } from '../support/stream-harness.js';

/** The cost of an append with many live readers: one encoding for all of them, and no store call per reader. */
const READERS = 200;
let harness: StreamHarness;
let service: StreamService;
let calls: string[];

beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 1_000_000 });
  calls = [];
  const store = new Proxy(harness.host.store, {
    get(target, name) {
      const method = target[name as keyof StreamStore] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return method(...args);
      };
    },
  });
  const objects = createFileObjectStore(harness.folder);
  service = new StreamService({ store, objects, log: keepingLog(), clock: () => harness.now });
});
afterEach(async () => {
  await service.stop();
  await harness.stop();
});

const call = (type: string, query: Record<string, string> = {}, body = ''): StreamCall => ({
  id: 's',
  url: 'http://test/s',
  query: new URLSearchParams(query),
  header: (name) => (name === 'content-type' ? type : null),
  body: async () => new TextEncoder().encode(body),
  idOfPath: () => undefined,
});

async function follow(type: string): Promise<Uint8Array[]> {
  const written: Uint8Array[] = [];
  const { body } = await service.read(call(type, { offset: 'now', live: 'sse' }));
  if (body?.kind !== 'live') throw new Error('no live response');
  await new Promise<void>((resolve) => {
    body.start({
      write(bytes) {
        written.push(bytes);
        resolve();
      },
      buffered: () => 0,
      drained: async () => {},
      end: () => {},
      abort: () => {},
      onClose: () => {},
    });
  });
  return written;
}

test.each(['text/plain', 'application/json', 'application/octet-stream'])(
  '%s: an append costs one encoding and one store call, however many readers follow it live',
  async (type) => {
    await service.create(call(type));
    const readers = await Promise.all(Array.from({ length: READERS }, () => follow(type)));
    expect(service.liveReaders).toBe(READERS);
    calls.length = 0;
    for (let n = 1; n <= 3; n++) {
      await service.append(call(type, {}, `${n}`));
      await new Promise((resolve) => setImmediate(resolve));
      const frames = new Set(readers.map((written) => written[n]));
      expect(frames.size).toBe(1);
      expect([...frames][0]).toBeInstanceOf(Uint8Array);
    }
    expect(calls).toEqual(['append', 'append', 'append']);
  },
);

test('long-polls share the same wake-ups and respond with them', async () => {
  await service.create(call('application/json'));
  const query = { offset: 'now', live: 'long-poll' };
  const waiting = Array.from({ length: READERS }, () => service.read(call('application/json', query)));
  await expect.poll(() => calls.filter((name) => name === 'get').length).toBe(1 + 2 * READERS);
  calls.length = 0;
  await service.append(call('application/json', {}, '[1,2]'));
  const responses = await Promise.all(waiting);
  const bodies = new Set(responses.map(({ body }) => (body?.kind === 'bytes' ? body.bytes : undefined)));
  expect(bodies.size).toBe(1);
  expect(new TextDecoder().decode([...bodies][0])).toBe('[1,2]');
  expect(calls).toEqual(['append']);
});
