import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { descPresent } from './desc-present.js';

it('fires without a description and for an empty one', () => {
  expect(outcomeOf(descPresent, page('/', { html: '<p>x</p>' }))).toMatchObject({
    evidence: [{ observed: 'no description' }],
  });
  const html = '<head>\n<meta name=description content=" "></head>';
  expect(outcomeOf(descPresent, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2 }],
  });
});

it('stays silent for a description', () => {
  const html = '<head><meta name="Description" content="What it is about."></head>';
  expect(outcomeOf(descPresent, page('/', { html })).status).toBe('pass');
});
