/** How a proxied response is stored and read back: outcomes, headers, offsets, SSE and restarts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { can } from '../support/engine-capabilities.js';
import {
  idOf,
  locationOf,
  type ProxyBench,
  readSse,
  readToEnd,
  refusal,
  startProxyBench,
  Upstream,
  untilShown,
} from '../support/proxy-bench.js';

type UpstreamHandler = Upstream['respond'];

/** Writes, waits until the bytes are sent, then breaks the connection: a reset in the same turn may overtake them. */
const afterFlush =
  (text: string, then: UpstreamHandler): UpstreamHandler =>
  (response, asked) => {
    response.write(text, () => setTimeout(() => then(response, asked), 30));
  };

describe('the outcome of a response is the same on catch-up, long-poll, SSE and HEAD', () => {
  let bench: ProxyBench;
  beforeAll(async () => {
    bench = await startProxyBench({ proxy: { responseBytesMax: 100_000, idleMs: 150 } });
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.upstream.reset());

  const sized: UpstreamHandler = (response) => void response.writeHead(200, { 'content-length': '1000' });
  const CASES: readonly [name: string, respond: UpstreamHandler, expected: string, text: string][] = [
    [
      'completed, with a length',
      (r) => void r.writeHead(200, { 'content-length': '4' }).end('done'),
      'completed',
      'done',
    ],
    [
      'completed, in chunks',
      (r) => {
        r.write('do');
        r.end('ne');
      },
      'completed',
      'done',
    ],
    [
      'completed, by the end of the connection',
      (r) => void r.socket?.end('HTTP/1.0 200 OK\r\n\r\ndone'),
      'completed',
      'done',
    ],
    ['one byte', (r) => void r.writeHead(200, { 'content-length': '1' }).end('x'), 'completed', 'x'],
    ['an empty body', (r) => void r.writeHead(200, { 'content-length': '0' }).end(), 'completed', ''],
    ['an empty body in chunks', (r) => void r.writeHead(200).end(), 'completed', ''],
    ['204', (r) => void r.writeHead(204).end(), 'completed', ''],
    ['205', (r) => void r.writeHead(205, { 'content-length': '0' }).end(), 'completed', ''],
    [
      'a reset',
      (r, a) => {
        sized(r, a);
        afterFlush('half', () => r.socket?.resetAndDestroy())(r, a);
      },
      can('tellsReset') ? 'failed UPSTREAM_RESET' : 'failed UPSTREAM_TRUNCATED',
      'half',
    ],
    [
      'a body shorter than its length',
      (r, a) => {
        sized(r, a);
        afterFlush('half', () => r.socket?.end())(r, a);
      },
      'failed UPSTREAM_TRUNCATED',
      'half',
    ],
    [
      'chunks without an end',
      (r, a) => afterFlush('half', () => r.socket?.end())(r, a),
      'failed UPSTREAM_TRUNCATED',
      'half',
    ],
    [
      'a broken chunk',
      (r) => void r.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'),
      'failed UPSTREAM_TRUNCATED',
      'half',
    ],
    [
      'a broken coding',
      (r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all'),
      'failed UPSTREAM_TRUNCATED',
      '',
    ],
    ['silence', (r) => void r.write('half'), 'timeout UPSTREAM_BODY_TIMEOUT', 'half'],
    [
      'too much',
      (r) => void r.writeHead(200, { 'content-length': '100001' }).end('x'.repeat(100_001)),
      'failed RESPONSE_TOO_LARGE',
      '',
    ],
  ];

  test.each(CASES)('%s', async (_name, respond, expected, text) => {
    bench.upstream.respond = respond;
    const created = await bench.create();
    expect(created.status).toBe(201);
    const location = locationOf(created);
    const polled = await readToEnd(location);
    const caught = await fetch(location);
    const streamed = await readSse(location);
    const head = await bench.ask(`/v1/proxy/${idOf(created)}`, { method: 'HEAD' });
    const outcomeOf = ({ headers }: Response) =>
      [headers.get('upstream-outcome'), headers.get('upstream-error')].filter(Boolean).join(' ');
    for (const response of [polled.last, caught, head]) {
      expect(outcomeOf(response)).toBe(expected);
      expect(response.headers.get('stream-closed')).toBe('true');
      expect(response.headers.get('upstream-status')).toMatch(/^2/);
    }
    const { upstreamOutcome, upstreamError, streamClosed } = streamed.control;
    expect([upstreamOutcome, upstreamError].filter(Boolean).join(' ')).toBe(expected);
    expect(streamClosed).toBe(true);
    const caughtText = await caught.text();
    if (expected === 'failed RESPONSE_TOO_LARGE') expect(caughtText.length).toBeLessThanOrEqual(100_000);
    else expect([polled.text, caughtText, streamed.text]).toEqual([text, text, text]);
    const again = await fetch(`${location}&offset=${head.headers.get('stream-next-offset')}`);
    expect([again.status, await again.text(), outcomeOf(again)]).toEqual([200, '', expected]);
  });

  test('a read that does not reach the tail, or happens while the upstream sends, reports no outcome', async () => {
    bench.upstream.respond = (response) => void response.write('first ');
    const location = locationOf(await bench.create());
    const first = await untilShown(location, 'first ');
    for (const response of [first, await fetch(location)]) {
      expect(response.headers.get('stream-closed')).toBe('false');
      expect(response.headers.get('upstream-outcome')).toBeNull();
      expect(response.headers.get('stream-up-to-date')).toBe('true');
    }
    expect((await readToEnd(location)).last.headers.get('upstream-outcome')).toBe('timeout');
  });
});

describe('GET and HEAD', () => {
  let upstream: Upstream;
  let dataDir: string;
  let bench: ProxyBench;
  const serve = () => startProxyBench({ upstream, dataDir });
  beforeAll(async () => {
    upstream = await Upstream.start();
    dataDir = mkdtempSync(join(tmpdir(), 'sonde-restart-'));
    bench = await serve();
  });
  afterAll(async () => {
    await bench.stop();
    await upstream.listening.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(() => bench.upstream.reset());

  test('every documented header is sent', async () => {
    bench.upstream.respond = (response) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end('hello');
    const created = await bench.create();
    const { last } = await readToEnd(locationOf(created));
    expect(last.status).toBe(200);
    const read = await fetch(locationOf(created));
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'stream-next-offset': expect.stringMatching(/^[0-9a-z]{5}:\d{8}:\d{10}$/),
      'stream-up-to-date': 'true',
      'stream-total-size': '5',
      'stream-write-units': expect.stringMatching(/^\d+$/),
      'stream-closed': 'true',
      'upstream-content-type': 'text/plain',
      'upstream-status': '200',
    });
    const head = await bench.ask(`/v1/proxy/${idOf(created)}`, { method: 'HEAD' });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'stream-next-offset': read.headers.get('stream-next-offset'),
      'stream-total-size': '5',
      'stream-write-units': read.headers.get('stream-write-units'),
      'upstream-content-type': 'text/plain',
      'upstream-headers': created.headers.get('upstream-headers'),
    });
    const expires = Date.parse(head.headers.get('stream-expires-at') ?? '');
    expect(Math.abs(expires - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  test('every offset resumes to the byte; a wrong one is refused', async () => {
    const text = Array.from({ length: 3_000 }, (_, i) => `line ${i}\n`).join('');
    bench.upstream.respond = (response) => void response.end(text);
    const location = locationOf(await bench.create());
    const { last } = await readToEnd(location);
    const [hash, chunk] = (last.headers.get('stream-next-offset') ?? '').split(':');
    for (const position of [0, 1, 137, 4_095, 4_096, text.length - 1, text.length]) {
      const response = await fetch(
        `${location}&offset=${hash}:${chunk}:${String(position).padStart(10, '0')}`,
      );
      expect(await response.text()).toBe(text.slice(position));
    }
    for (const offset of ['nonsense', `zzzzz:${chunk}:0000000000`, `${hash}:${chunk}:9999999999`]) {
      expect(await refusal(await fetch(`${location}&offset=${offset}`))).toBe('400 OFFSET_INVALID');
    }
    expect(await refusal(await fetch(`${location}&live=later&offset=-1`))).toBe('400 INVALID_REQUEST');
  });

  test('SSE frames any bytes as base64', async () => {
    const bytes = Uint8Array.from({ length: 10_000 }, (_, i) => (i * 31) % 256);
    bench.upstream.respond = (response) => void response.end(bytes);
    const location = locationOf(await bench.create());
    await readToEnd(location);
    const reply = await fetch(`${location}&offset=-1&live=sse`);
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(reply.headers.get('stream-sse-data-encoding')).toBe('base64');
    expect(reply.headers.get('upstream-status')).toBe('200');
    expect((await readSse(location)).text).toBe(Buffer.from(bytes).toString());
    await reply.body?.cancel();
  });

  test('everything survives a restart, and signed URLs stay valid', async () => {
    bench.upstream.respond = (response) =>
      void response.writeHead(200, { 'content-type': 'a/b' }).end('kept');
    const created = await bench.create();
    const { pathname, search } = new URL(locationOf(created));
    await readToEnd(locationOf(created));
    const before = await bench.ask(`${pathname}${search}`, { token: '' });
    await bench.stop();
    bench = await serve();
    const after = await bench.ask(`${pathname}${search}`, { token: '' });
    expect(await after.text()).toBe('kept');
    for (const name of ['content-type', 'status', 'headers', 'outcome'])
      expect(after.headers.get(`upstream-${name}`)).toBe(before.headers.get(`upstream-${name}`));
    expect(after.headers.get('stream-next-offset')).toBe(before.headers.get('stream-next-offset'));
  });
});
