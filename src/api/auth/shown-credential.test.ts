import { expect, test } from 'vitest';
import { bearerOf, type InlineRoute, type InlineRoutes } from '../../proxy/index.js';
import { createCredentialFinder } from './shown-credential.js';

const route = (kind: string) => ({ credential: { kind } }) as unknown as InlineRoute;
const routes = {
  get: (name: string) => ({ own: route('key'), theirs: route('caller') })[name],
} as unknown as InlineRoutes;

const find = (path: string, headers: Record<string, string>) =>
  createCredentialFinder(routes)({ headers: new Headers(headers), url: `http://sonde.test${path}` }).bearer;

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
  expect(find('/v1/proxyx?secret=q', {})).toBeUndefined();
  expect(find('/api/jobs?secret=q', {})).toBeUndefined();
});

test('an inline route reads the Authorization header only if the upstream key is ours', () => {
  expect(find('/r/own', { authorization: 'Bearer a' })).toBe('a');
  expect(find('/r/theirs', { authorization: 'Bearer a', 'x-api-key': 'k' })).toBeUndefined();
  expect(find('/r/own', {})).toBeUndefined();
});
