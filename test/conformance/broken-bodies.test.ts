import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Upstream } from '../support/proxy-bench.js';
import { rawExchange } from '../support/raw-exchange.js';
import { type SocketBench, startSocketBench } from '../support/socket-bench.js';

/**
 * Bodies that cannot be read to their end, on every route that reads one: the caller gets the code for its mistake, and
 * nothing happens.
 */
let upstream: Upstream;
let bench: SocketBench;

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startSocketBench(upstream);
  await bench.ask('/v1/stream/kept', {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: 'as it was',
  });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});

const head = (line: string, lines: readonly string[]) =>
  [`${line} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${bench.secret}`, ...lines, '', ''].join(
    '\r\n',
  );

const PLACES: readonly (readonly [string, readonly string[]])[] = [
  ['PUT /v1/stream/new', ['Content-Type: text/plain']],
  ['POST /v1/stream/kept', ['Content-Type: text/plain']],
  ['PUT /v1/stream/__ds/subscriptions/mine', ['Content-Type: application/json']],
  ['POST /r/up/x', ['Content-Type: text/plain']],
  ['POST /api/compare', ['Content-Type: application/json']],
  ['POST /api/jobs', ['Content-Type: application/json', 'Idempotency-Key: k']],
];
const places = () => [
  ...PLACES,
  ['POST /v1/proxy', [`Upstream-URL: ${upstream.origin}/x`, 'Upstream-Method: POST']] as const,
];

const CHUNKED = 'Transfer-Encoding: chunked';
const codesOf = (got: string) => [/^HTTP\/1\.1 (\d+)/.exec(got)?.[1], /"code":"(\w+)"/.exec(got)?.[1]];

describe.each([
  ['a chunk whose length is not a number', [CHUNKED], 'g\r\nhello\r\n0\r\n\r\n'],
  ['a chunk that is longer than its length', [CHUNKED], '5\r\nhello!\r\n0\r\n\r\n'],
  ['a good chunk before a bad one', [CHUNKED], '5\r\nhello\r\n-1\r\n\r\n'],
  ['a length together with a coding', ['Content-Length: 5', CHUNKED], '0\r\n\r\n'],
])('%s', (_name, framing, body) => {
  test('is 400 INVALID_REQUEST on every route that reads a body', async () => {
    for (const [line, lines] of places()) {
      const got = await rawExchange(bench.port, [head(line, [...lines, ...framing]), body], {
        quietMs: 1_000,
      });
      expect(codesOf(got), line).toEqual(['400', 'INVALID_REQUEST']);
    }
  });
});

test('a body cut off by the end of its connection gets the same code, or its connection is closed', async () => {
  const broken = [
    ['Content-Length: 100', 'half'],
    ['Content-Length: 100', ''],
    [CHUNKED, '5\r\nhello\r\n'],
    [CHUNKED, ''],
  ] as const;
  const outcomes: string[] = [];
  for (const [line, lines] of places()) {
    for (const [framing, body] of broken) {
      const got = await rawExchange(bench.port, [head(line, [...lines, framing]) + body], { endInput: true });
      outcomes.push(got === '' ? 'closed' : codesOf(got).join(' '));
    }
  }
  expect(outcomes.filter((each) => each !== 'closed' && each !== '400 INVALID_REQUEST')).toEqual([]);
  // The client has stopped sending, not reading. The proxy in front of the Worker may close both directions.
  if (process.env['SONDE_TEST_ENGINE'] !== 'edge') expect(outcomes).toContain('400 INVALID_REQUEST');
  expect(upstream.asked).toEqual([]);
});

test('none of these bodies is sent, creates a stream or is appended', async () => {
  expect(upstream.asked).toEqual([]);
  expect((await bench.ask('/v1/stream/new')).status).toBe(404);
  expect(await (await bench.ask('/v1/stream/kept')).text()).toBe('as it was');
});

test('a WebSocket request is refused and never sent upstream as something else', async () => {
  const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 0'];
  const got = await rawExchange(bench.port, [head('POST /r/up/upgraded', lines)], { quietMs: 1_000 });
  const asked = upstream.asked.map(({ method, url }) => `${method} ${url}`);
  expect([asked, ...codesOf(got)]).toEqual([[], '400', 'UPGRADE_NOT_SUPPORTED']);
});
