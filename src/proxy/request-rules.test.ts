/** What makes two requests the same, which paths hide something, and what of a response fits into a header. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { compileAllowlist } from './allowlist.js';
import { errorResponseBytes } from './error-response-bytes.js';
import { bodyHeaders, contentTypeOf, decodeHeaders, encodeHeaders, requestHeaders } from './header-rules.js';
import { endedMetadata, outcomeHeaders, type ProxyMetadata, upstreamHeaders } from './proxy-metadata.js';
import { digestOf, fingerprintOf } from './request-fingerprint.js';
import { SpareWrites } from './spare-writes.js';
import { StreamedBody } from './streamed-body.js';
import { checkKey, notAllowed, type UpstreamRequest } from './upstream-request.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const streamed = (text: string, length?: number) =>
  new StreamedBody(
    (async function* () {
      yield bytes(text);
    })(),
    length,
  );

describe('the fingerprint of a request', () => {
  const request = (parts: object = {}): UpstreamRequest =>
    ({
      ...{ tenant: 't', url: new URL('https://a.example/x'), method: 'POST', headers: [], body: bytes('b') },
      ...parts,
    }) as never;

  test.each([
    { method: 'PUT' },
    { url: new URL('https://a.example/y') },
    { headers: [['content-type', 'text/plain']] },
    { body: bytes('c') },
    { body: streamed('b') },
  ])('differs with %j', (parts) => {
    expect(fingerprintOf(request(parts))).not.toBe(fingerprintOf(request()));
  });

  test('does not depend on other headers, nor on the case of a name', () => {
    expect(fingerprintOf(request({ headers: [['x-a', '1']] }))).toBe(fingerprintOf(request()));
    expect(fingerprintOf(request({ headers: [['Content-Type', 'text/plain']] }))).toBe(
      fingerprintOf(request({ headers: [['content-type', 'text/plain']] })),
    );
  });

  test('of a body that streams is its length at first, and its content in the end', async () => {
    expect(fingerprintOf(request({ body: streamed('a', 1) }))).toBe(
      fingerprintOf(request({ body: streamed('b', 1) })),
    );
    expect(fingerprintOf(request({ body: streamed('a', 1) }))).not.toBe(
      fingerprintOf(request({ body: streamed('a', 2) })),
    );
    const read = async (text: string, method = 'POST') => {
      const body = streamed(text);
      body.enableHash();
      expect(digestOf(request({ body, method }))).toBeUndefined();
      await body.discard();
      return digestOf(request({ body, method }));
    };
    expect(await read('a')).toBe(await read('a'));
    expect(await read('a')).not.toBe(await read('b'));
    expect(await read('a')).not.toBe(await read('a', 'PUT'));
    expect(digestOf(request())).toBeUndefined();
  });
});

describe('a body that streams', () => {
  test('says when a piece was taken and when all were, and has its digest then', async () => {
    const body = streamed('abc', 3);
    const sent: string[] = [];
    body.enableHash();
    body.onSent = (part) => sent.push(part);
    for await (const piece of body) expect([piece, sent]).toEqual([bytes('abc'), []]);
    expect(sent).toEqual(['piece', 'whole']);
    expect(body.digest()).toBe(createHash('sha256').update('abc').digest('hex'));
    expect([body.byteLength, streamed('abc').byteLength]).toEqual([3, undefined]);
  });

  test('has no digest where it was not asked for, or broke off', async () => {
    const whole = streamed('abc');
    await whole.discard();
    expect(whole.digest()).toBeUndefined();
    const broken = new StreamedBody(
      // biome-ignore lint/correctness/useYield: it breaks before its first piece
      (async function* () {
        throw new Error('gone');
      })(),
      undefined,
    );
    broken.enableHash();
    await expect(broken.discard()).rejects.toThrow('gone');
    expect([broken.digest(), (broken.fault as Error).message]).toEqual([undefined, 'gone']);
  });
});

describe('a path', () => {
  const allows = (path: string) =>
    compileAllowlist(['a.example/v1/*']).match(`https://a.example${path}`) !== undefined;

  test.each(['/v1/%41', '/v1/%2541', '/v1/%252541', '/v1/a;b', '/v1/...', '/v1/.a'])(
    'may be escaped: %s',
    (path) => {
      expect(allows(path)).toBe(true);
    },
  );

  test.each([
    '/v1/%25252541',
    '/v1/%2f',
    '/v1/%255c',
    '/v1/%u002f',
    '/v1/%',
    '/v1/%4',
    '/v1/%2e%2e%2f',
    '/v1/.;x/',
    '/v1/%00',
    '/v1/%7f',
    '/v1/%c0%af',
    '/v1/%ef%bc%8f',
    '/v1/%252e%252e/x',
  ])('hides something: %s', (path) => {
    expect(allows(path)).toBe(false);
  });
});

describe('headers', () => {
  test('fit into 8 KiB of base64url, each whole or not at all', () => {
    // The list and its brackets, six bytes a pair of one-letter names, and as many as base64 makes of 6,144 bytes.
    const pair = (chars: number) => ['a', 'x'.repeat(chars)] as const;
    const fits = 6_144 - '[["a",""]]'.length;
    expect(decodeHeaders(encodeHeaders([pair(fits)]))).toEqual([pair(fits)]);
    expect(encodeHeaders([pair(fits)])).toHaveLength(8_192);
    expect(decodeHeaders(encodeHeaders([pair(fits + 1), ['b', 'c']]))).toEqual([['b', 'c']]);
    const second = fits - ',["b","c"]'.length;
    expect(decodeHeaders(encodeHeaders([pair(second), ['b', 'c']]))).toHaveLength(2);
    expect(decodeHeaders(encodeHeaders([pair(second + 1), ['b', 'c']]))).toHaveLength(1);
  });

  test.each([
    ['x'.repeat(1_024), true],
    ['x'.repeat(1_025), false],
    ['', false],
    ['a\u0001', false],
    ['text/plain; name="é"', true],
    ['text/ö\u0142', false],
  ])('case %#: a content type can be sent', (value, usable) => {
    expect(contentTypeOf([['content-type', value]])).toBe(usable ? value : null);
  });

  test('of a body kept as it came are its coding and its length', () => {
    expect(
      bodyHeaders([
        ['content-encoding', 'gzip'],
        ['content-encoding', '\u0001'],
        ['content-length', '1'.repeat(15)],
        ['content-length', '1'.repeat(16)],
        ['content-length', 'x1'],
        ['content-type', 'a'],
        ['age', '5'],
      ]),
    ).toEqual([
      ['content-encoding', 'gzip'],
      ['content-length', '1'.repeat(15)],
    ]);
  });

  test('that the proxy puts in replace those of the caller', () => {
    expect(
      requestHeaders(
        [
          ['X-Api-Key', 'caller'],
          ['Connection', 'x-hop'],
          ['X-Hop', '1'],
          ['X-Kept', '2'],
          ['Accept-Encoding', 'br'],
        ],
        [['x-api-key', 'own']],
      ),
    ).toEqual([
      ['X-Kept', '2'],
      ['x-api-key', 'own'],
      ['accept-encoding', 'identity'],
    ]);
    expect(requestHeaders([], [], 'gzip')).toEqual([['accept-encoding', 'gzip']]);
  });
});

test('metadata say how an upstream ended, and nothing before', () => {
  const metadata: ProxyMetadata = {
    ...{ tenant: 't', upstream_url: 'https://a.example/', upstream_method: 'GET', upstream_status: 200 },
    ...{ upstream_content_type: null, upstream_headers: 'W10' },
  };
  expect(upstreamHeaders(metadata)).toEqual({ 'Upstream-Status': '200', 'Upstream-Headers': 'W10' });
  expect(upstreamHeaders({ ...metadata, upstream_content_type: 'a/b' })).toMatchObject({
    'Upstream-Content-Type': 'a/b',
  });
  expect(outcomeHeaders(metadata)).toEqual({});
  const ended = JSON.parse(endedMetadata(metadata, { outcome: 'completed' }));
  expect(ended).toEqual({ ...metadata, outcome: 'completed' });
  expect(outcomeHeaders(ended)).toEqual({ 'Upstream-Outcome': 'completed' });
  const failed = JSON.parse(endedMetadata(metadata, { outcome: 'failed', error: 'UPSTREAM_RESET' }));
  expect(outcomeHeaders(failed)).toEqual({
    'Upstream-Outcome': 'failed',
    'Upstream-Error': 'UPSTREAM_RESET',
  });
});

test.each([
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
  ['', false],
  ['a b', false],
  ['!~', true],
  ['é', false],
])('case %#: a key has 1 to 255 visible characters', (key, valid) => {
  if (valid) expect(() => checkKey(key)).not.toThrow();
  else expect(() => checkKey(key)).toThrow('1 to 255 visible ASCII characters');
});

test('a refusal names its rule where there is one', () => {
  expect(notAllowed('why', { rule: 'r' }).details).toEqual({ rule: 'r' });
  expect(notAllowed('why').details).toEqual({});
});

test('an error is repeated as JSON, with its details', () => {
  const error = new SondeError('UPSTREAM_NOT_ALLOWED', 'no', { details: { rule: 'r' } });
  const { headers, body } = errorResponseBytes(error, { A: 'b' });
  expect(headers).toEqual({ A: 'b', 'Content-Type': 'application/json' });
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
    error: { code: 'UPSTREAM_NOT_ALLOWED', message: 'no', rule: 'r' },
  });
});

test('spare writes are lent up to their number, and again once given back', () => {
  const writes = new SpareWrites(2);
  expect([writes.take(), writes.take(), writes.take()]).toEqual([true, true, false]);
  writes.release();
  expect([writes.take(), writes.take()]).toEqual([true, false]);
});
