import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Egress,
  followRedirects,
  headerValues,
  type OutboundRequest,
  type OutboundResult,
  readBody,
} from '../../src/net/index.js';
import { LATE_MS, startBehaviourServer, TEXT } from '../support/behaviour-server.js';
import type { Listening } from '../support/listen.js';

/** What a platform may hide from its engine, with the reasons in docs/decisions/edge.md, 0040. */
export type EgressCapability =
  /** Distinguishes an empty encoded body from a truncated one. */
  | 'emptyCodedBody'
  /** Distinguishes a reset from an early end. */
  | 'tellsReset'
  /** Distinguishes a connection that was never made from one that was lost. */
  | 'tellsConnecting';

/** What every engine of the egress port does, over real sockets. `start` allows the given private origin. */
export function egressContract(
  start: (origin: string) => Promise<Egress> | Egress,
  lacks: readonly EgressCapability[] = [],
): void {
  const can = (capability: EgressCapability) => !lacks.includes(capability);
  let server: Listening;
  let egress: Egress;

  beforeAll(async () => {
    server = await startBehaviourServer();
    egress = await start(server.origin);
  });
  afterAll(async () => {
    await egress.close();
    await server.close();
  });

  const ask = (path: string, request: Partial<OutboundRequest> = {}): Promise<OutboundResult> =>
    followRedirects(egress, { url: server.origin + path, limits: { totalMs: 10_000 }, ...request });

  const reply = async (path: string, request: Partial<OutboundRequest> = {}) => {
    const result = await ask(path, request);
    if (!result.ok) throw result.error;
    const { bytes, truncated } = await readBody(result.response.body, 1e7);
    return { ...result, text: new TextDecoder().decode(bytes), truncated };
  };

  const failure = async (path: string, request: Partial<OutboundRequest> = {}) => {
    const result = await ask(path, request);
    const error = result.ok
      ? await readBody(result.response.body, 1e7).then(
          () => undefined,
          (e) => e,
        )
      : result.error;
    return error?.code ?? 'no failure';
  };

  test('returns status, headers and body', async () => {
    const { response, text } = await reply('/plain');
    expect(response.status).toBe(200);
    expect(headerValues(response.headers, 'content-type')).toEqual(['text/plain']);
    expect(text).toBe(TEXT);
  });

  test('an HTTP error is a response, not a failure', async () => {
    const { response, text } = await reply('/missing');
    expect([response.status, text]).toEqual([404, 'not here']);
  });

  test('keeps repeated headers apart', async () => {
    const { response } = await reply('/repeated');
    expect(headerValues(response.headers, 'set-cookie')).toEqual(['a=1', 'b=2']);
  });

  test.each(['/gzip', '/x-gzip', '/br', '/deflate', '/raw-deflate', '/identity'])(
    'decodes %s',
    async (path) => {
      expect((await reply(path)).text).toBe(TEXT);
    },
  );

  test('an empty body needs no decoding', async () => {
    if (can('emptyCodedBody')) expect((await reply('/coded-empty')).text).toBe('');
    else expect(await failure('/coded-empty')).toBe('decode_error');
    expect((await reply('/empty')).text).toBe('');
    expect((await reply('/gzip', { method: 'HEAD' })).text).toBe('');
  });

  test.each(['/coded-broken', '/coded-junk', '/coded-twice', '/coded-unknown'])(
    '%s is a decode_error',
    async (path) => {
      expect(await failure(path)).toBe('decode_error');
    },
  );

  test('bounds a body after decoding', async () => {
    expect(await failure('/gzip', { limits: { bodyBytes: 1000 } })).toBe('response_too_large');
    expect(await failure('/plain', { limits: { bodyBytes: 1000 } })).toBe('response_too_large');
    expect((await reply('/plain', { limits: { bodyBytes: TEXT.length } })).text.length).toBe(TEXT.length);
  });

  test('sends method, headers and body', async () => {
    const body = new TextEncoder().encode('{"a":1}');
    const headers = [
      ['content-type', 'application/json'],
      ['x-mine', 'yes'],
    ] as const;
    const { text } = await reply('/echo?q=1', { method: 'POST', headers, body });
    expect(JSON.parse(text)).toMatchObject({
      method: 'POST',
      url: '/echo?q=1',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'x-mine': 'yes', 'content-length': '7' },
    });
  });

  test('sends a streamed body', async () => {
    async function* pieces() {
      yield new TextEncoder().encode('one ');
      yield new TextEncoder().encode('two');
    }
    expect(JSON.parse((await reply('/echo', { method: 'PUT', body: pieces() })).text).body).toBe('one two');
  });

  test("drops Host, hop-by-hop and Connection-listed headers, and another client's claims", async () => {
    const { text } = await reply('/echo', {
      headers: [
        ['Host', 'internal.example'],
        ['Connection', 'keep-alive, X-Hop'],
        ['X-Hop', 'secret'],
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '999'],
        ['Expect', '100-continue'],
        ['X-Forwarded-For', '10.0.0.1'],
        ['Metadata-Flavor', 'Google'],
        ['X-aws-ec2-metadata-token', 't'],
        ['Proxy-Authorization', 'Basic x'],
      ],
    });
    const { headers } = JSON.parse(text);
    expect(headers.host).toBe(new URL(server.origin).host);
    for (const name of [
      'x-hop',
      'transfer-encoding',
      'content-length',
      'expect',
      'x-forwarded-for',
      'metadata-flavor',
      'x-aws-ec2-metadata-token',
      'proxy-authorization',
    ]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test('a malformed header is the caller’s error and is named', async () => {
    await expect(ask('/echo', { headers: [['x-bad', 'a\r\nb: c']] })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { header: 'x-bad' },
    });
    await expect(ask('/echo', { headers: [['bad name', 'x']] })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expect(ask('/echo', { method: 'BREW' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('follows redirects by hand and reports the chain', async () => {
    const { redirects, finalUrl, text } = await reply(
      `/redirect/302?to=${encodeURIComponent('/redirect/307?to=/plain')}`,
    );
    expect(redirects.map(({ status }) => status)).toEqual([302, 307]);
    expect(finalUrl).toBe(`${server.origin}/plain`);
    expect(text).toBe(TEXT);
  });

  test('returns a redirect unchanged if none may be followed', async () => {
    const { response } = await reply('/redirect/302?to=/plain', { maxRedirects: 0 });
    expect([response.status, headerValues(response.headers, 'location')]).toEqual([302, ['/plain']]);
  });

  test.each([
    ['/redirect/301', 'redirect_missing_location'],
    ['/redirect/302?to=http://[', 'redirect_invalid_location'],
    [`/redirect/302?to=${encodeURIComponent('/redirect/302?to=/redirect/302')}`, 'redirect_missing_location'],
    ['/redirect/302?to=ftp://example.com/', 'invalid_url'],
    ['/redirect/302?to=http://10.0.0.1/', 'ssrf_blocked'],
  ])('%s is %s', async (path, code) => {
    expect(await failure(path)).toBe(code);
  });

  test('a broken response fails, and the bytes before it stay readable', async () => {
    for (const [path, ending] of [
      ['/truncated', 'truncated'],
      ['/reset', can('tellsReset') ? 'reset' : 'truncated'],
    ] as const) {
      const result = await ask(path);
      if (!result.ok) throw result.error;
      const first = await result.response.body.read();
      expect(new TextDecoder().decode(first)).toBe('half of');
      await expect(result.response.body.read()).rejects.toMatchObject({
        code: 'fetch_error',
        details: { ending },
      });
    }
    expect(await failure('/hang-up')).toBe('fetch_error');
  });

  test('a signal cancels before and after the head', async () => {
    const early = new AbortController();
    const pending = ask('/never', { signal: early.signal });
    early.abort();
    expect(await pending).toMatchObject({ ok: false, error: { code: 'canceled' } });
    expect(await ask('/plain', { signal: AbortSignal.abort() })).toMatchObject({
      error: { code: 'canceled' },
    });

    const late = new AbortController();
    const result = await ask('/drip', { signal: late.signal });
    if (!result.ok) throw result.error;
    await result.response.body.read();
    late.abort();
    await expect(readBody(result.response.body, 1e7)).rejects.toMatchObject({ code: 'canceled' });
  });

  test('cancel after the end does nothing', async () => {
    const { response } = await reply('/plain');
    response.body.cancel();
    expect(await response.body.read()).toBeUndefined();
  });

  test('a closed port is a connect_error', async () => {
    const closed = await startBehaviourServer();
    await closed.close();
    const other = await start(closed.origin);
    try {
      const result = await followRedirects(other, { url: closed.origin });
      const code = can('tellsConnecting') ? 'connect_error' : 'fetch_error';
      expect(result).toMatchObject({ ok: false, error: { code } });
    } finally {
      await other.close();
    }
  });

  test('measures the phases', async () => {
    const { response } = await reply('/late');
    const { firstByte, download } = response.timings();
    // Workers have a clock of whole milliseconds, which the platform may coarsen.
    expect(firstByte).toBeGreaterThan(LATE_MS / 2);
    expect(download).toBeGreaterThanOrEqual(0);
  });
}
