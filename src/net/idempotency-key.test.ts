import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashParts, idempotencyKey, sortedJson } from './idempotency-key.js';

const work = {
  tenant: 'acme',
  url: 'https://a.com/x?id=1',
  options: { depth: 2, deep: { b: 1, a: [1, null] } },
  recipeVersion: 'v1',
};

test('hashParts is SHA-256 over length-prefixed parts', () => {
  const parts = ['a', 'bücher', ''];
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  expect(hashParts(parts)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('the same work has the same key in every spelling', () => {
  const other = {
    ...work,
    url: 'HTTPS://A.com:443/x/?id=1#frag',
    options: { deep: { a: [1, null], b: 1, gone: undefined }, depth: 2 },
  };
  expect(idempotencyKey(work)).toMatch(/^[0-9a-f]{64}$/);
  expect(idempotencyKey(other)).toBe(idempotencyKey(work));
});

test.each([
  { tenant: 'other' },
  { url: 'https://a.com/x?id=2' },
  { options: { depth: 3 } },
  { recipeVersion: 'v2' },
])('%j changes the key', (change) => {
  expect(idempotencyKey({ ...work, ...change })).not.toBe(idempotencyKey(work));
});

test('different lists of parts never hash alike', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
      fc.pre(JSON.stringify(a) !== JSON.stringify(b));
      expect(hashParts(a)).not.toBe(hashParts(b));
    }),
  );
});

test('sortedJson round-trips every value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(JSON.parse(sortedJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('sortedJson writes missing options and elements as null', () => {
  expect([sortedJson(undefined), sortedJson([undefined, 1])]).toEqual(['null', '[null,1]']);
});

test('sortedJson rejects values that JSON cannot represent', () => {
  for (const value of [Number.NaN, 1n, () => 1, Symbol('x')]) {
    expect(() => sortedJson({ value })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  }
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  expect(sortedJson(nested(64))).toHaveLength(129);
  expect(() => sortedJson(nested(65))).toThrow(/nest deeper than 64 levels/);
  const object = (levels: number): unknown => (levels === 0 ? 1 : { a: object(levels - 1) });
  expect(sortedJson(object(64))).toHaveLength(1 + 64 * 6);
  expect(() => sortedJson(object(65))).toThrow(/nest deeper than 64 levels/);
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(() => sortedJson(loop)).toThrow(/nest deeper/);
});
