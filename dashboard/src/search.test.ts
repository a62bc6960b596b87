import { expect, test } from 'vitest';
import { readSearch, withParam } from './search';

test('keeps short texts and numbers with known names, and nothing else', () => {
  const read = readSearch(['q', 'page']);
  expect(read({ q: 'a', page: 2, other: 'x' })).toEqual({ q: 'a', page: '2' });
  expect(read({ q: { deep: true }, page: null })).toEqual({});
  expect(read({ q: 'x'.repeat(5_000) }).q).toHaveLength(4_000);
});

test('sets, replaces or removes one parameter', () => {
  const search: { q?: string; sev?: string } = { q: 'a', sev: 'warn' };
  expect(withParam<typeof search>('q', 'b')(search)).toEqual({ q: 'b', sev: 'warn' });
  expect(withParam<typeof search>('q', '')(search)).toEqual({ sev: 'warn' });
  expect(withParam<typeof search>('sev', undefined)(search)).toEqual({ q: 'a' });
});
