import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { sdUrlConsistency } from './sd-url-consistency.js';

const data = (node: object, head = '') =>
  page('/a', {
    html: `<head>${head}<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script></head>`,
  });
const here = 'https://www.example.com/a';

it('fires if the data names another page', () => {
  expect(
    outcomeOf(sdUrlConsistency, data({ '@type': 'Article', url: 'https://www.example.com/b' })),
  ).toMatchObject({
    status: 'fail',
    evidence: [{ element: 'Article.url', expected: here }],
  });
  const entity = { '@type': 'BlogPosting', mainEntityOfPage: { '@id': 'https://www.example.com/b' } };
  expect(outcomeOf(sdUrlConsistency, data(entity)).status).toBe('fail');
});

it('stays silent for the canonical with any fragment, and for data about other things', () => {
  expect(
    outcomeOf(
      sdUrlConsistency,
      data({ '@type': 'Article', url: here, mainEntityOfPage: { '@id': `${here}#x` } }),
    ).status,
  ).toBe('pass');
  const canonical = '<link rel=canonical href="https://www.example.com/c">';
  expect(
    outcomeOf(sdUrlConsistency, data({ '@type': 'WebPage', url: 'https://www.example.com/c' }, canonical))
      .status,
  ).toBe('pass');
  expect(
    outcomeOf(sdUrlConsistency, data({ '@type': 'Organization', url: 'https://www.example.com/' })).status,
  ).toBe('not-applicable');
});
