import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkDepth } from './link-depth.js';

it('fires for the fifth click', () => {
  expect(outcomeOf(linkDepth, [page('/'), page('/a', { depth: 5 })])).toMatchObject({
    status: 'fail',
    evidence: [{ url: 'https://www.example.com/a', observed: '5 clicks from the home page' }],
  });
});

it('stays silent up to four, and for what no link leads to', () => {
  expect(
    outcomeOf(linkDepth, [page('/'), page('/a', { depth: 4 }), page('/b', { depth: null })]).status,
  ).toBe('pass');
  expect(outcomeOf(linkDepth, [page('/')]).status).toBe('not-applicable');
});
