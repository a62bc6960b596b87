import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { headingOrder } from './heading-order.js';

it('fires for a skipped level and for an empty heading', () => {
  expect(outcomeOf(headingOrder, page('/', { html: '<h1>a</h1>\n<h3>b</h3>' }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2, observed: 'H3 after H1' }],
  });
  expect(outcomeOf(headingOrder, page('/', { html: '<h1>a</h1><h2> </h2>' }))).toMatchObject({
    evidence: [{ observed: 'an empty heading' }],
  });
});

it('stays silent for one level down and any number up', () => {
  expect(
    outcomeOf(headingOrder, page('/', { html: '<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>' })).status,
  ).toBe('pass');
  expect(outcomeOf(headingOrder, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
