import { TrieRouter } from 'hono/router/trie-router';
import { expect, test } from 'vitest';
import { createRandom } from '../../test/support/random.js';
import { createMatcher } from './match.js';
import type { BoundOperation, Facts, Method } from './operation.js';

const operation = (path: string, method: Method = 'GET', more: Partial<Facts> = {}): BoundOperation => ({
  facts: {
    id: `${method} ${path}`,
    method,
    path: path as Facts['path'],
    access: { by: 'anyone' },
    body: 'none',
    rate: 'nobody',
    errors: [],
    ...more,
  },
  schemas: { tag: '', summary: '', replies: {} },
  run: async () => ({ status: 200, headers: {} }),
});

test('finds one of the patterns that another router finds, whatever the order of the list', () => {
  const random = createRandom(11);
  const segment = () => random.pick(['a', 'b', 'c', '%2f']);
  const newPattern = () => {
    const length = random.whole(1, 4);
    const parts = Array.from({ length }, (_, i) => (random.next() < 0.3 ? `{p${i}}` : segment()));
    if (random.next() < 0.3) parts[length - 1] = '{rest*}';
    return `/${parts.join('/')}`;
  };
  const newPath = () =>
    `/${Array.from({ length: random.whole(1, 5) }, () => (random.next() < 0.1 ? '' : segment())).join('/')}`;
  let found = 0;
  for (let round = 0; round < 300; round += 1) {
    const patterns = consistent(Array.from({ length: 8 }, newPattern));
    const oracle = new TrieRouter<string>();
    for (const pattern of patterns) oracle.add('GET', honoForm(pattern), pattern);
    const [match, reversed] = [patterns, patterns.toReversed()].map((list) =>
      createMatcher(list.map((pattern) => operation(pattern))),
    );
    for (let tried = 0; tried < 30; tried += 1) {
      const path = newPath();
      const candidates = oracle.match('GET', path)[0].map(([pattern]) => pattern);
      const expected = candidates.filter((each) => !isShadowed(each, path, patterns));
      expect(expected.length).toBeLessThan(2);
      for (const each of [match, reversed]) {
        const route = each?.(path)?.route.operations.get('GET')?.facts.path;
        expect([path, patterns, route]).toEqual([path, patterns, expected[0]]);
      }
      found += expected.length;
    }
  }
  expect(found).toBeGreaterThan(1000);
});

const shapeOf = (pattern: string) => pattern.replace(/\{\w+(\*?)\}/g, '{$1}');
const honoForm = (pattern: string) => pattern.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1');

/** Without patterns that a table refuses: those of one shape, and a parameter beside the rest of a path. */
function consistent(patterns: readonly string[]): string[] {
  const kept = [...new Map(patterns.map((each) => [shapeOf(each), each])).values()];
  return kept.filter((each) => {
    const prefix = shapeOf(each).split('{*}')[0] ?? '';
    return prefix === shapeOf(each) || !kept.some((other) => shapeOf(other).startsWith(`${prefix}{}`));
  });
}

/** Whether another pattern has, at the first place where the two differ, the literal of the path. */
function isShadowed(pattern: string, path: string, patterns: readonly string[]): boolean {
  const [own, parts] = [shapeOf(pattern).split('/'), path.split('/')];
  return patterns.some((other) => {
    const theirs = shapeOf(other).split('/');
    const at = own.findIndex((part, i) => part !== theirs[i]);
    return at >= 0 && own[at]?.startsWith('{') && theirs[at] === parts[at];
  });
}

const match = createMatcher([
  operation('/v1/stream/{path*}', 'PUT', { anyHeaders: true }),
  operation('/v1/stream/{path*}', 'DELETE'),
  operation('/v1/stream/__ds/{id}/streams/{path*}'),
  operation('/v1/proxy', 'POST', { alias: '/v1/proxy/' }),
  operation('/'),
]);

test.each([
  ['/v1/stream/a%2Fb/c', ['a%2Fb/c'], '/v1/stream/*'],
  ['/v1/stream/', [''], '/v1/stream/*'],
  ['/v1/stream', [''], '/v1/stream/*'],
  ['/v1/stream/__ds/x%20y/streams/a/b', ['x%20y', 'a/b'], '/v1/stream/__ds/:id/streams/*'],
  ['/v1/stream/__dsx/y', ['__dsx/y'], '/v1/stream/*'],
  ['/v1/proxy/', [], '/v1/proxy'],
  ['/', [], '/'],
])('%s has the parts %j of %s', (path, values, label) => {
  const found = match(path);
  expect([found?.values, found?.route.label]).toEqual([values, label]);
});

test.each([
  '/v1/stream/__ds/x',
  '/v1/stream/__ds',
  '/v1',
  '//',
  '/v1/proxy/x',
  '/%761/stream/a',
  '/V1/proxy',
  '',
])('%s has none', (path) => {
  expect(match(path)).toBeUndefined();
});

test('lists the methods of a path, with HEAD where GET is', () => {
  expect(match('/v1/stream/a')?.route.allow).toEqual(['PUT', 'DELETE', 'OPTIONS']);
  expect(match('/')?.route.allow).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(match('/v1/stream/a')?.route.facts).toEqual({ anyHeaders: true });
});

test('refuses a list that contradicts itself', () => {
  expect(() => createMatcher([operation('/a/{b}'), operation('/a/{c}')])).toThrow('two operations');
  const other = operation('/a', 'PUT', { credential: 'query' });
  expect(() => createMatcher([operation('/a'), other])).toThrow('do not agree');
  expect(() => createMatcher([operation('/a/{b*}'), operation('/a/{c}/d')])).toThrow('two kinds');
});
