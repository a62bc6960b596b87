import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { socialTwitter } from './social-twitter.js';

it('fires without a card', () => {
  expect(outcomeOf(socialTwitter, page('/', { html: '<p>x</p>' }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'no twitter:card' }],
  });
});

it('stays silent for a card, by name or property', () => {
  for (const key of ['name', 'property']) {
    const html = `<head><meta ${key}="twitter:card" content="summary"></head>`;
    expect(outcomeOf(socialTwitter, page('/', { html })).status).toBe('pass');
  }
});
