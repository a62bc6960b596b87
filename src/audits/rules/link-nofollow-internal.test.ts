import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkNofollowInternal } from './link-nofollow-internal.js';

it('fires for an internal link with nofollow', () => {
  expect(
    outcomeOf(linkNofollowInternal, page('/', { html: '<a rel="noopener NoFollow" href="/a">A</a>' })),
  ).toMatchObject({
    status: 'fail',
    evidence: [{ line: 1 }],
  });
});

it('stays silent for other links, including external ones with nofollow', () => {
  const html = '<a href="/a">A</a><a rel=nofollow href="https://other.example/">B</a>';
  expect(outcomeOf(linkNofollowInternal, page('/', { html })).status).toBe('pass');
  expect(outcomeOf(linkNofollowInternal, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
