import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secHsts } from './sec-hsts.js';

const sent = (value?: string) => [
  page('/', { headers: value === undefined ? [] : [['strict-transport-security', value]] }),
];

it('fires without the header and for a short max-age', () => {
  expect(outcomeOf(secHsts, sent())).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'Strict-Transport-Security is missing' }],
  });
  expect(outcomeOf(secHsts, sent('max-age=15767999')).status).toBe('fail');
});

it('stays silent for half a year and more', () => {
  expect(outcomeOf(secHsts, sent('max-age=15768000')).status).toBe('pass');
  expect(outcomeOf(secHsts, sent('includeSubDomains; max-age="31536000"; preload')).status).toBe('pass');
  const plain = { origin: 'http://www.example.com', homeUrl: 'http://www.example.com/' };
  expect(outcomeOf(secHsts, sent(), plain).status).toBe('not-applicable');
});
