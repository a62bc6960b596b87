import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { h1Single } from './h1-single.js';

it('fires for no main heading and for two', () => {
  expect(outcomeOf(h1Single, page('/', { html: '<h2>x</h2>' }))).toMatchObject({
    evidence: [{ observed: 'no <h1>' }],
  });
  expect(outcomeOf(h1Single, page('/', { html: '<h1>a</h1>\n<h1>b</h1>' }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2, element: '<h1>b</h1>' }],
  });
});

it('stays silent for one main heading', () => {
  expect(outcomeOf(h1Single, page('/', { html: '<h1>a</h1><h2>b</h2>' })).status).toBe('pass');
});
