import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createPublicOriginReader, HOSTS_KEPT } from './direct-request.js';

const from = (host: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  ({ headers: { host, ...headers }, socket: { remoteAddress } }) as unknown as IncomingMessage;

test('a limited number of hosts is cached, and an uncached one is still correct', () => {
  const read = createPublicOriginReader({ trustedPeer: () => false });
  const kept = Array.from({ length: HOSTS_KEPT }, (_each, i) => read(from(`h${i}.localhost`)));
  for (const [i, publicOrigin] of kept.entries()) expect(read(from(`h${i}.localhost`))).toBe(publicOrigin);
  const [one, two] = [read(from('more.localhost')), read(from('more.localhost'))];
  expect(one?.base).toBe('http://more.localhost');
  expect(two).toEqual(one);
  expect(two).not.toBe(one);
  expect(read(from('h0.localhost'))).toBe(kept[0]);
});

test('does not cache origins from a trusted proxy, and returns none for an invalid host', () => {
  const read = createPublicOriginReader({ trustedPeer: (address) => address === '10.0.0.1' });
  const behind = (proto: string) => read(from('a.test', { 'x-forwarded-proto': proto }, '10.0.0.1'));
  expect([behind('https')?.base, behind('http')?.base]).toEqual(['https://a.test', 'http://a.test']);
  expect(read(from('a.test', { 'x-forwarded-proto': 'https' }))?.base).toBe('http://a.test');
  for (const host of ['', 'a b', 'x:99999', 'a/b']) expect(read(from(host))).toBeUndefined();
});
