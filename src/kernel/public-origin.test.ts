import { expect, test } from 'vitest';
import type { Arrived } from './arrived.js';
import { clientAddressOf, createPublicOrigins, ORIGINS_KEPT } from './public-origin.js';

interface Row {
  readonly name: string;
  readonly base: string;
  readonly headers?: Record<string, string>;
  readonly peerAddress?: string;
  readonly publicUrl?: string;
  readonly url: string;
  readonly clientAddress: string;
}

const UNTRUSTED = '192.0.2.1';
const PROXY = '10.0.0.1';
const FORWARDED = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.test',
  'x-forwarded-for': '203.0.113.7',
};
const CHAIN = {
  'x-forwarded-host': 'evil.test, public.test',
  'x-forwarded-proto': 'gopher, https',
  'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.1',
};
const MALFORMED = {
  'x-forwarded-host': 'evil.test/path?',
  'x-forwarded-proto': 'javascript',
  'x-forwarded-for': 'unknown',
};

test.each<Row>([
  {
    name: 'uses Host',
    base: 'http://a.test:81',
    peerAddress: UNTRUSTED,
    url: 'http://a.test:81/x',
    clientAddress: UNTRUSTED,
  },
  {
    name: 'ignores forwarded headers of an untrusted peer',
    base: 'http://a.test',
    headers: FORWARDED,
    peerAddress: UNTRUSTED,
    url: 'http://a.test/x',
    clientAddress: UNTRUSTED,
  },
  {
    name: 'uses forwarded headers of a trusted peer',
    base: 'http://inner',
    headers: FORWARDED,
    peerAddress: PROXY,
    url: 'https://public.test/x',
    clientAddress: '203.0.113.7',
  },
  {
    name: 'prefers --public-url',
    base: 'http://inner',
    headers: FORWARDED,
    peerAddress: PROXY,
    publicUrl: 'https://set.test/base/',
    url: 'https://set.test/base/x',
    clientAddress: '203.0.113.7',
  },
  {
    name: 'uses only the entries that our own proxies wrote',
    base: 'http://inner',
    headers: CHAIN,
    peerAddress: PROXY,
    url: 'https://public.test/x',
    clientAddress: '203.0.113.7',
  },
  {
    name: 'ignores malformed forwarded headers',
    base: 'http://inner',
    headers: MALFORMED,
    peerAddress: PROXY,
    url: 'http://inner/x',
    clientAddress: PROXY,
  },
  {
    name: 'ignores forwarded headers of an unknown peer',
    base: 'http://b',
    headers: FORWARDED,
    url: 'http://b/x',
    clientAddress: 'unknown',
  },
])('$name', ({ base, headers = {}, peerAddress, publicUrl, url, clientAddress }) => {
  const settings = { ...(publicUrl !== undefined && { publicUrl }), trustedPeer: isProxy };
  const arrived = from(new URL(base).host, headers, peerAddress);
  const header = (name: string) => headers[name];
  expect(`${createPublicOrigins(settings)(arrived).base}/x`).toBe(url);
  expect(clientAddressOf({ peerAddress, header }, settings)).toBe(clientAddress);
});

const isProxy = (address: string) => address === PROXY;

function from(authority: string, headers: Record<string, string> = {}, peerAddress?: string): Arrived {
  const header = (name: string) => headers[name] ?? null;
  return { scheme: 'http', authority, peerAddress, header } as Partial<Arrived> as Arrived;
}

test('a limited number of hosts is cached, and an uncached one is still correct', () => {
  const read = createPublicOrigins({ trustedPeer: isProxy });
  const kept = Array.from({ length: ORIGINS_KEPT }, (_each, i) => read(from(`h${i}.localhost`)));
  for (const [i, publicOrigin] of kept.entries()) expect(read(from(`h${i}.localhost`))).toBe(publicOrigin);
  const [one, two] = [read(from('more.localhost')), read(from('more.localhost'))];
  expect(one.base).toBe('http://more.localhost');
  expect(two).toEqual(one);
  expect(two).not.toBe(one);
  expect(read(from('h0.localhost'))).toBe(kept[0]);
});

test('does not cache origins from a trusted proxy, and refuses an invalid host', () => {
  const read = createPublicOrigins({ trustedPeer: isProxy });
  const behind = (proto: string) => read(from('a.test', { 'x-forwarded-proto': proto }, PROXY));
  expect([behind('https').base, behind('http').base]).toEqual(['https://a.test', 'http://a.test']);
  expect(read(from('a.test', { 'x-forwarded-proto': 'https' })).base).toBe('http://a.test');
  for (const host of ['', 'a b', 'x:99999', 'a/b', 'a@b'])
    expect(() => read(from(host))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});
