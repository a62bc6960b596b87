import { expect, test } from 'vitest';
import { untransformed } from './no-transform.js';

test.each([
  [{}, { 'Cache-Control': 'no-transform' }],
  [{ 'cache-control': 'no-store' }, { 'cache-control': 'no-store, no-transform' }],
  [{ 'Cache-Control': 'max-age=5' }, { 'Cache-Control': 'max-age=5, no-transform' }],
  [{ 'cache-control': '' }, { 'cache-control': 'no-transform' }],
  [{ 'Cache-Control': 'No-Transform' }, { 'Cache-Control': 'No-Transform' }],
])('%j becomes %j, beside its other headers', (headers, expected) => {
  const given = { etag: '"a"', ...headers } as Record<string, string>;
  expect(untransformed(given)).toEqual({ etag: '"a"', ...expected });
});
