/** `skip` and `live=raw` on reads of a proxied response. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

/** Two full chunks and part of a third. */
const LARGE = Buffer.alloc(9_000_000, 'one line of many, no two of them alike: ');
for (let at = 0; at + 8 <= LARGE.length; at += 40) LARGE.write(String(at).padStart(8, '0'), at);

let upstream: Listening;
let server: ServedForTest;
let finish = () => {};

beforeAll(async () => {
  upstream = await listenHttp((request, response) => {
    if (request.url === '/large') return void response.end(LARGE);
    if (request.url === '/short') return void response.end('hello');
    response.writeHead(200).write('one ');
    finish = () => void response.end('two');
  });
  server = await serveForTest({
    proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
  });
});

afterAll(async () => {
  await server.stop();
  await upstream.close();
});

async function create(path: string): Promise<string> {
  const response = await fetch(`${server.url}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': upstream.origin + path, 'upstream-method': 'GET' },
  });
  return response.headers.get('location') ?? '';
}

async function ended(path: string): Promise<string> {
  const location = await create(path);
  for (let offset = '-1'; ; ) {
    const response = await fetch(`${location}&offset=${offset}&live=long-poll`);
    await response.arrayBuffer();
    offset = response.headers.get('stream-next-offset') ?? '';
    if (response.headers.get('stream-closed') === 'true') return location;
  }
}

test('skip addresses every byte, across chunks, in every mode that returns bytes', async () => {
  const location = await ended('/large');
  const edges = [0, 1, 4_194_303, 4_194_304, 4_194_305, 8_388_608, LARGE.length - 1, LARGE.length];
  for (const skip of edges) {
    for (const live of ['', '&live=raw', '&live=long-poll']) {
      const response = await fetch(`${location}&offset=-1&skip=${skip}${live}`);
      const got = Buffer.from(await response.arrayBuffer());
      expect(got.equals(LARGE.subarray(skip)), `${skip}${live}: ${response.status}`).toBe(true);
      expect(response.headers.get('upstream-outcome')).toBe('completed');
    }
  }
});

test('skip counts from the offset', async () => {
  const location = await ended('/short');
  const part = await fetch(`${location}&offset=-1`);
  const tail = part.headers.get('stream-next-offset') ?? '';
  const inside = tail.replace(/\d{10}$/, '0000000002');
  const response = await fetch(`${location}&offset=${inside}&skip=2&live=raw`);
  expect(await response.text()).toBe('o');
});

test('a raw response sends the stored bytes, then new ones, and ends when none arrive', async () => {
  const location = await create('/held');
  const quiet = await fetch(`${location}&offset=-1&live=raw`);
  expect(await quiet.text()).toBe('one ');
  expect([quiet.headers.get('stream-closed'), quiet.headers.get('cache-control')]).toEqual([
    null,
    'no-store, no-transform',
  ]);
  const live = await fetch(`${location}&offset=-1&skip=4&live=raw`);
  finish();
  expect(await live.text()).toBe('two');
  const over = await fetch(`${location}&offset=-1&skip=7&live=raw`);
  expect([
    over.headers.get('stream-closed'),
    over.headers.get('upstream-outcome'),
    await over.text(),
  ]).toEqual(['true', 'completed', '']);
});

describe('refuses what is not a position', () => {
  test.each([
    'offset=-1&skip=6',
    'offset=-1&skip=-1',
    'offset=-1&skip=1.5',
    'offset=-1&skip=',
    'offset=-1&skip=1&skip=1',
    'offset=-1&skip=9999999999999999999',
    'skip=1',
    'live=raw',
    'offset=-1&offset=-1&live=raw',
    'offset=junk&live=raw',
  ])('%s', async (query) => {
    const response = await fetch(`${await ended('/short')}&${query}`);
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'OFFSET_INVALID']);
  });
});
