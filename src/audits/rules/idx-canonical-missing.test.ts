import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { idxCanonicalMissing } from './idx-canonical-missing.js';

it('fires without a canonical', () => {
  expect(outcomeOf(idxCanonicalMissing, page('/a', { html: '<p>x</p>' }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'no canonical' }],
  });
});

it('stays silent for a canonical in the head or a header, and for pages that are not indexed', () => {
  const html = '<head><link rel=canonical href="https://www.example.com/a"></head>';
  expect(outcomeOf(idxCanonicalMissing, page('/a', { html })).status).toBe('pass');
  const headers = [['link', '<https://www.example.com/a>; rel="canonical"']] as const;
  expect(outcomeOf(idxCanonicalMissing, page('/a', { html: '<p>x</p>', headers })).status).toBe('pass');
  const hidden = '<head><meta name=robots content=noindex></head>';
  expect(outcomeOf(idxCanonicalMissing, page('/a', { html: hidden })).status).toBe('not-applicable');
});
