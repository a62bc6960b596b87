import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkDepth } from './link-depth.js';

it('fires for a page five clicks away', () => {
  expect(outcomeOf(linkDepth, [page('/'), page('/a', { depth: 5 })])).toMatchObject({
    status: 'fail',
    evidence: [{ url: 'https://www.example.com/a', observed: '5 clicks from the home page' }],
  });
});

it('stays silent up to four clicks, and for pages that no link leads to', () => {
  expect(
    outcomeOf(linkDepth, [page('/'), page('/a', { depth: 4 }), page('/b', { depth: null })]).status,
  ).toBe('pass');
  expect(outcomeOf(linkDepth, [page('/')]).status).toBe('not-applicable');
});
