/** Inline routes: which requests are sent, and how a recorded response is returned. */
import { describe, expect, test } from 'vitest';
import {
  answer,
  idOf,
  KeepingSink,
  useProxyService,
  wholeBody,
} from '../../test/support/proxy-service-bench.js';
import { settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import type { StreamResponse } from '../streams/index.js';

const bench = useProxyService();

function listen({ body }: StreamResponse): KeepingSink {
  if (body?.kind !== 'live') throw new Error(`a body of kind ${body?.kind}`);
  const sink = new KeepingSink();
  body.start(sink);
  return sink;
}

describe('the request', () => {
  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is sent', async (method) => {
    expect((await bench.inline({ method })).status).toBe(200);
    expect(bench.asked[0]?.request).toMatchObject({ method, url: 'http://a.example/base/it' });
  });

  test.each(['OPTIONS', 'TRACE', 'get'])('%s is refused', async (method) => {
    await expect(bench.inline({ method })).rejects.toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    expect(bench.asked).toEqual([]);
  });

  test('a path that leads out of the route is refused', async () => {
    await expect(bench.inline({ rest: '/..%2fx' })).rejects.toMatchObject({ code: 'UPSTREAM_NOT_ALLOWED' });
  });

  test("the upstream's key replaces the caller's in either header", async () => {
    await bench.inline({ headers: { 'x-api-key': 'sonde', authorization: 'Bearer sonde' } });
    await bench.inline({ headers: { authorization: 'Bearer sonde' } });
    expect(bench.asked.map(({ request }) => request.headers)).toEqual([
      [
        ['x-api-key', 'sk-up'],
        ['accept-encoding', 'identity'],
      ],
      [
        ['authorization', 'Bearer sk-up'],
        ['accept-encoding', 'identity'],
      ],
    ]);
  });

  test.each([
    [true, 'gzip'],
    [false, 'identity'],
    [undefined, 'identity'],
  ])('if the engine keeps codings (%s), the coding asked for is %s', async (keepsCodings, expected) => {
    const headers: unknown[] = [];
    const outbound = {
      ...(keepsCodings !== undefined && { keepsCodings }),
      fetch: async (request: { headers?: unknown; keepCoding?: boolean }) => {
        headers.push(request.headers, request.keepCoding ?? false);
        return answer(200);
      },
    };
    await bench.begin({ outbound });
    await bench.inline({ route: 'theirs', headers: { 'accept-encoding': 'gzip' } });
    expect(headers).toEqual([[['accept-encoding', expected]], keepsCodings ?? false]);
  });

  test('a route may have its own time for the head', async () => {
    bench.reply = () => new Promise(() => {});
    void bench.inline({ route: 'theirs' });
    void bench.inline();
    await settle();
    const headTimes = bench.pumps.timers.set.filter((ms) => ms > 10);
    expect(headTimes).toEqual([500, 60_000]);
  });

  test('a retry of an SDK without a key is counted each time, and logged once', async () => {
    for (const count of ['1', '0', '2'])
      await bench.inline({ headers: { 'x-stainless-retry-count': count } });
    await bench.inline({ headers: { 'x-stainless-retry-count': '1', 'idempotency-key': 'k' } });
    await bench.inline();
    expect(bench.retries).toBe(2);
    expect(bench.lines.filter(({ message }) => message.includes('Idempotency-Key'))).toHaveLength(1);
  });
});

describe('the response', () => {
  test.each([
    [299, 299],
    [300, 400],
    [304, 304],
    [399, 400],
    [400, 400],
    [500, 500],
  ])('of status %i is returned with %i', async (status, expected) => {
    bench.reply = () =>
      answer(status, [['x-request-id', 'r']], status === 304 ? wholeBody('') : wholeBody('it'));
    const response = await bench.inline();
    expect(response.status).toBe(expected);
    const isRedirect = status === 300 || status === 399;
    expect(response.error?.code).toBe(isRedirect ? 'REDIRECT_NOT_ALLOWED' : undefined);
    expect(response.headers['x-request-id']).toBe(isRedirect ? undefined : 'r');
  });

  test.each([204, 205, 304])('of status %i has neither a body nor a length', async (status) => {
    bench.reply = () => answer(status, [['content-length', '5']], wholeBody(''));
    const response = await bench.inline();
    expect([response.status, response.body, Object.keys(response.headers)]).toEqual([
      status,
      undefined,
      ['Stream-Location'],
    ]);
  });

  test('that has ended is returned whole, with repeated headers joined', async () => {
    bench.reply = () =>
      answer(200, [
        ['link', '<a>'],
        ['link', '<b>'],
        ['content-length', '2'],
      ]);
    const response = await bench.inline();
    expect(response.headers).toMatchObject({ link: '<a>, <b>', 'content-length': '2' });
    expect(response.headers['Idempotent-Replayed']).toBeUndefined();
    expect(response.body).toEqual({ kind: 'bytes', bytes: new TextEncoder().encode('ok') });
  });

  test('is live while it arrives, and ends when it is complete', async () => {
    const body = new ScriptedBody();
    bench.reply = () =>
      answer(200, [], Object.assign(body, { arrived: () => new TextEncoder().encode('one ') }));
    const response = await bench.inline();
    const sink = listen(response);
    await settle();
    expect(sink.text).toBe('one ');
    body.say('two');
    await settle();
    expect([sink.text, sink.ending]).toEqual(['one two', undefined]);
    body.end();
    await bench.service.quiet();
    await settle();
    expect([sink.text, sink.ending]).toEqual(['one two', 'ended']);
    expect(bench.ends).toEqual([[{ outcome: 'completed' }, { bytes: 7, records: 2 }]]);
  });

  test('that breaks off is aborted', async () => {
    const body = new ScriptedBody();
    bench.reply = () => answer(200, [], body);
    const sink = listen(await bench.inline());
    body.say('half');
    await settle();
    body.fail('fetch_error', 'reset');
    await bench.service.quiet();
    await settle();
    expect([sink.text, sink.ending]).toEqual(['half', 'aborted']);
  });

  test('counts its caller as a reader', async () => {
    bench.reply = () => answer(200, [], new ScriptedBody());
    const sink = listen(await bench.inline({ headers: { 'orphan-policy': 'cancel-after=30s' } }));
    expect(bench.pumps.timers.set).not.toContain(30_000);
    sink.leave();
    expect(bench.pumps.timers.set).toContain(30_000);
  });

  test('under a key is repeated from the store', async () => {
    const headers = { 'idempotency-key': 'inline' };
    const first = await bench.inline({ headers });
    const second = await bench.inline({ headers });
    expect([idOf(second), second.headers['Idempotent-Replayed']]).toEqual([idOf(first), 'true']);
    const sink = listen(second);
    await settle();
    expect([sink.text, sink.ending]).toEqual(['ok', 'ended']);
    expect(bench.asked).toHaveLength(1);
  });
});
