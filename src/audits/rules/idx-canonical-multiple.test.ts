import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { idxCanonicalMultiple } from './idx-canonical-multiple.js';

const link = (path: string) => `<link rel=canonical href="https://www.example.com${path}">`;

it('fires for two different canonicals, in markup or header', () => {
  expect(
    outcomeOf(idxCanonicalMultiple, page('/a', { html: `<head>${link('/a')}\n${link('/b')}</head>` })),
  ).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2 }],
  });
  const headers = [['link', '<https://www.example.com/c>; rel=canonical']] as const;
  expect(
    outcomeOf(idxCanonicalMultiple, page('/a', { html: `<head>${link('/a')}</head>`, headers })).status,
  ).toBe('fail');
});

it('stays silent for one canonical, even if it is repeated', () => {
  expect(
    outcomeOf(idxCanonicalMultiple, page('/a', { html: `<head>${link('/a')}${link('/a')}</head>` })).status,
  ).toBe('pass');
  expect(outcomeOf(idxCanonicalMultiple, page('/a', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
