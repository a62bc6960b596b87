import { describe, expect, it } from 'vitest';
import { SondeError } from '../../errors.js';
import { readHar } from './har-archive.js';
import { createHarProvider } from './har-provider.js';
import { HAR_LIMITS } from './har-scanner.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function entry(url: string, change: { request?: object; response?: object; more?: object } = {}) {
  return {
    startedDateTime: '2026-03-04T05:06:07.008Z',
    time: 12,
    request: { method: 'GET', url, httpVersion: 'HTTP/2', headers: [], cookies: [], ...change.request },
    response: {
      status: 200,
      httpVersion: 'h2',
      headers: [
        { name: ':status', value: '200' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      cookies: [],
      content: { size: 8, mimeType: 'application/json', text: '{"a":1}' },
      redirectURL: '',
      ...change.response,
    },
    timings: { blocked: 1, dns: -1, connect: 30, ssl: 20, send: 1, wait: 5, receive: 2 },
    serverIPAddress: '[2001:db8::1]',
    ...change.more,
  };
}

const har = (entries: object[], creator = 'Firefox') =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: creator, version: '1' }, pages: [{ id: 'p{["' }], entries },
  });

async function faultOf(text: string, limits = HAR_LIMITS): Promise<string> {
  try {
    await readHar([bytes(text)], limits);
  } catch (thrown) {
    if (thrown instanceof SondeError && thrown.code === 'HAR_INVALID') return thrown.message;
    throw thrown;
  }
  return 'accepted';
}

const probe = async (text: string, url: string) => createHarProvider(await readHar([bytes(text)])).probe(url);

describe('readHar', () => {
  it('parses the same archive from chunks of any size, and accepts a byte order mark', async () => {
    const text = `\ufeff${har([entry('https://a.example/ä"\\{'), entry('https://a.example/2')])}`;
    const whole = await readHar([bytes(text)]);
    expect(whole.records).toHaveLength(2);
    const all = bytes(text);
    for (const size of [1, 2, 7, 100]) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
      expect(await readHar(pieces)).toEqual(whole);
    }
  });

  it.each([
    ['', 'no "log"'],
    ['[]', 'no "log"'],
    ['{"log":{"entries":[', 'truncated'],
    ['{"log":{"entries":[{"request":{}}]}}', 'entry 1'],
    ['{"log":{"entries":[{bad}]}}', 'entry 1 is not JSON'],
    [har([entry('https://a.example/')]).replace(/]}}$/, ',{bad}]}}'), 'entry 2 is not JSON'],
    [har([entry('https://a.example/'), { request: {} }]), 'entry 2: '],
    ['{"log":{"entries":[]}}}', 'brackets'],
    [`{"log":${'['.repeat(600)}`, 'deeper'],
  ])('rejects %j with the reason', async (text, why) => {
    expect(await faultOf(text)).toContain(why);
  });

  it('enforces its limits', async () => {
    const text = har([entry('https://a.example/1'), entry('https://a.example/2')]);
    expect(await faultOf(text, { ...HAR_LIMITS, bytesMax: 100 })).toContain('more than 100 bytes');
    expect(await faultOf(text, { ...HAR_LIMITS, entries: 1 })).toContain('more than 1 entries');
    expect(await faultOf(text, { ...HAR_LIMITS, entryChars: 50 })).toContain('more than 50 characters');
    expect(await faultOf('\u00ff'.repeat(3))).toContain('no "log"');
  });

  it('rejects a file that is not UTF-8', async () => {
    await expect(readHar([Uint8Array.of(0x7b, 0xff, 0xfe)])).rejects.toThrow('not UTF-8');
  });

  it('hides the credentials of its requests everywhere', async () => {
    const secret = 'canary-9e8d7c6b5a';
    const text = har([
      entry('https://a.example/', {
        request: { headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] },
        response: {
          content: { size: 9, mimeType: 'application/json', text: JSON.stringify({ echo: secret }) },
        },
      }),
      entry(`https://a.example/next?x=${secret}`),
    ]);
    expect(JSON.stringify(await readHar([bytes(text)]))).not.toContain(secret);
  });
});

describe('the HAR provider', () => {
  it('reads protocol, address and phases, with TLS subtracted from connect', async () => {
    const envelope = await probe(har([entry('https://a.example/')]), 'https://a.example/#frag');
    expect(envelope).toMatchObject({
      phases: { connect: 10, tls: 20, ttfb: 6, download: 2 },
      protocol: 'h2',
      address: { ip: '2001:db8::1', family: 6 },
      source: { kind: 'har', runner: 'Firefox', sanitized: false, cacheState: 'network' },
    });
    expect(envelope.result).not.toHaveProperty('response.headers.otherNames', [':status']);
  });

  it('does not treat missing cookies in a sanitized export as absent', async () => {
    const plain = await probe(har([entry('https://a.example/')], 'WebInspector'), 'https://a.example/');
    expect(plain.source?.sanitized).toBe(true);
    expect(plain).not.toHaveProperty('cookies');
    expect(plain.coverage?.gaps).toMatchObject({ cookies: 'sanitized', challenge: 'sanitized' });
    const kept = entry('https://a.example/', {
      response: { headers: [{ name: 'Set-Cookie', value: 'a=1; Secure\nb=2' }] },
    });
    const full = await probe(har([kept], 'WebInspector'), 'https://a.example/');
    expect(full.source?.sanitized).toBe(false);
    expect(full.cookies?.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'dns_error'],
    ['net::ERR_CERT_DATE_INVALID', 'tls_error'],
    ['net::ERR_TIMED_OUT', 'timeout'],
    ['net::ERR_CONNECTION_REFUSED', 'connect_error'],
    ['net::ERR_BLOCKED_BY_CLIENT', 'fetch_error'],
  ])('maps status 0 with %s to %s', async (_error, code) => {
    const failed = entry('https://a.example/', { response: { status: 0, _error } });
    const { result } = await probe(har([failed]), 'https://a.example/');
    expect('error' in result && result.error.code).toBe(code);
  });

  it('ignores the timing of a cached response', async () => {
    const cached = entry('https://a.example/', { more: { _fromCache: 'disk' } });
    const envelope = await probe(har([cached]), 'https://a.example/');
    expect(envelope.source?.cacheState).toBe('cache');
    expect(envelope.coverage?.observed).not.toContain('timing');
  });

  it('distinguishes a missing body from an empty one', async () => {
    const lost = entry('https://a.example/', { response: { content: { size: 900, mimeType: 'text/html' } } });
    const envelope = await probe(har([lost]), 'https://a.example/');
    expect(envelope.body).toEqual({ bytes: 900, truncated: false, kind: 'binary' });
    expect(envelope.coverage?.observed).toContain('body');
    expect(envelope.coverage?.observed).not.toContain('body.content');
  });

  it('lists the other resources of the page with statuses and failures', async () => {
    const page = { more: { pageref: 'p1' } };
    const text = har([
      entry('https://a.example/', page),
      entry('https://cdn.example/x.js', {
        ...page,
        response: { status: 404, content: { size: 0, mimeType: 'text/javascript' } },
      }),
      entry('https://b.example/y.png', {
        ...page,
        response: { status: 0, content: { size: 0, mimeType: 'image/png' } },
      }),
      entry('https://a.example/other', { more: { pageref: 'p2' } }),
    ]);
    const { resources } = await probe(text, 'https://a.example/');
    expect(resources).toEqual([
      {
        url: 'https://cdn.example/x.js',
        method: 'GET',
        status: 404,
        kind: 'script',
        contentType: 'application/json',
      },
      {
        url: 'https://b.example/y.png',
        method: 'GET',
        error: 'fetch_error',
        kind: 'image',
        contentType: 'application/json',
      },
    ]);
  });
});
