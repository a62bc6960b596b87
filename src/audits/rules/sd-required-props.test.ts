import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { sdRequiredProps } from './sd-required-props.js';

const data = (node: object) =>
  page('/', {
    html: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`,
  });

it('fires for missing properties, including in graphs, and names them', () => {
  expect(outcomeOf(sdRequiredProps, data({ '@type': 'Event', name: 'A', startDate: '' }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'no startDate' }, { observed: 'no location' }],
  });
  expect(outcomeOf(sdRequiredProps, data({ '@graph': [{ '@type': ['Product'], name: 'A' }] }))).toMatchObject(
    {
      evidence: [{ observed: 'no review or aggregateRating or offers' }],
    },
  );
});

it('stays silent for complete nodes and for types without requirements', () => {
  expect(
    outcomeOf(sdRequiredProps, data({ '@type': 'Product', name: 'A', offers: { price: 1 } })).status,
  ).toBe('pass');
  expect(outcomeOf(sdRequiredProps, data({ '@type': 'WebSite' })).status).toBe('not-applicable');
});
