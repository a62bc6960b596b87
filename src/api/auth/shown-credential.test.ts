import { expect, test } from 'vitest';
import type { Arrived } from '../../kernel/arrived.js';
import { bearerOf, type InlineRoute, type InlineRoutes } from '../../proxy/index.js';
import { createCredentialFinder } from './shown-credential.js';

const route = (kind: string) => ({ credential: { kind } }) as unknown as InlineRoute;
const routes = {
  get: (name: string) => ({ own: route('key'), theirs: route('caller') })[name],
} as unknown as InlineRoutes;

const PLACES = { '/v1/proxy': 'query', '/r/': 'route' } as const;

function find(path: string, headers: Record<string, string>): string | undefined {
  const { pathname, search } = new URL(path, 'http://sonde.test');
  const [, place] = Object.entries(PLACES).find(([prefix]) => pathname.startsWith(prefix)) ?? [];
  const arrived = { query: search.slice(1), header: (name: string) => headers[name] ?? null };
  return createCredentialFinder(routes)(arrived as Arrived, place, [pathname.split('/')[2] ?? '']).bearer;
}

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc ', 'abc'],
  ['Bearer abc\nBearer def', undefined],
  ['Bearer ', undefined],
  ['Bearer', undefined],
  ['Basic abc', undefined],
  ['x Bearer abc', undefined],
  [null, undefined],
])('the credential of Authorization: %s is %s', (header, credential) => {
  expect(bearerOf(header)).toBe(credential);
});

const AUTH = { authorization: 'Bearer a', 'x-api-key': 'k', 'sonde-authorization': 'Bearer s' };

test.each([
  ['/api/jobs?secret=q', 'a'],
  ['/v1/proxy', 'a'],
  ['/v1/proxy/one?secret=q', 'a'],
  ['/r/own/v1/models', 'k'],
  ['/r/theirs/v1/models', 's'],
  ['/r/unknown/v1/models', 'a'],
  ['/x/r/own', 'a'],
])('%s uses %s when a request has several credentials', (path, credential) => {
  expect(find(path, AUTH)).toBe(credential);
});

test('a secret in the query is accepted only by the proxy and only without a header', () => {
  expect(find('/v1/proxy?secret=q', {})).toBe('q');
  expect(find('/v1/proxy/one?secret=q', {})).toBe('q');
  expect(find('/api/jobs?secret=q', {})).toBeUndefined();
});

test('an inline route reads the Authorization header only if the upstream key is ours', () => {
  expect(find('/r/own', { authorization: 'Bearer a' })).toBe('a');
  expect(find('/r/theirs', { authorization: 'Bearer a', 'x-api-key': 'k' })).toBeUndefined();
  expect(find('/r/own', {})).toBeUndefined();
});
