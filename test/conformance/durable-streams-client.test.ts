import { DurableStream, IdempotentProducer, stream } from '@durable-streams/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedForTest, serveForTest } from '../support/serve.js';

/** The protocol's own public client against the real server. */
let server: ServedForTest;
beforeAll(async () => {
  server = await serveForTest();
});
afterAll(() => server.stop());

let made = 0;
const create = (contentType: string) =>
  DurableStream.create({ url: `${server.url}/v1/stream/client-${made++}`, contentType, warnOnHttp: false });

/** Reads to the end of the stream; a live stream ends when it is closed. */
async function collect<T>(source: ReadableStream<T>): Promise<T[]> {
  const items: T[] = [];
  const reader = source.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) items.push(next.value);
  return items;
}

test.each(['sse', 'long-poll'] as const)('follows a live stream by %s until it is closed', async (live) => {
  const log = await create('text/plain');
  await log.append('before ');
  const response = await stream({ url: log.url, offset: '-1', live, warnOnHttp: false });
  const reading = collect(response.textStream());
  await log.append('while ');
  await log.close({ body: 'last' });
  expect((await reading).join('')).toBe('before while last');
});

test('resumes from a stored offset', async () => {
  const log = await create('text/plain');
  await log.append('one');
  const first = await stream({ url: log.url, offset: '-1', live: false, warnOnHttp: false });
  expect(await first.text()).toBe('one');
  await log.append('two');
  const second = await stream({ url: log.url, offset: first.offset, live: false, warnOnHttp: false });
  expect(await second.text()).toBe('two');
});

test('returns JSON messages as they were appended, also when followed live', async () => {
  const log = await create('application/json');
  await log.append(JSON.stringify({ n: 1 }));
  const response = await stream<{ n: number }>({
    url: log.url,
    offset: '-1',
    live: 'sse',
    warnOnHttp: false,
  });
  const reading = collect(response.jsonStream());
  await log.append(JSON.stringify({ n: 2 }));
  await log.close();
  expect(await reading).toEqual([{ n: 1 }, { n: 2 }]);
});

test('binary data survives SSE', async () => {
  const log = await create('application/octet-stream');
  const data = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
  await log.append(data);
  await log.close();
  const response = await stream({ url: log.url, offset: '-1', live: 'sse', warnOnHttp: false });
  const pieces = await collect(response.bodyStream());
  expect(new Uint8Array(Buffer.concat(pieces))).toEqual(data);
});

test('an idempotent producer writes each message once even if every first response is lost', async () => {
  const log = await create('application/json');
  const seen = new Set<string>();
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const key = new Headers(init?.headers).get('producer-seq') ?? '';
    if (init?.method === 'POST' && key !== '' && !seen.has(key)) {
      seen.add(key);
      throw new TypeError('the response was lost');
    }
    return response;
  };
  const producer = new IdempotentProducer(log, 'writer', { fetch: losing, lingerMs: 0 });
  for (let n = 0; n < 50; n++) producer.append(JSON.stringify({ n }));
  await producer.flush();
  await producer.detach();
  const all = await stream<{ n: number }>({ url: log.url, offset: '-1', live: false, warnOnHttp: false });
  expect((await all.json()).map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(seen.size).toBeGreaterThan(0);
});
