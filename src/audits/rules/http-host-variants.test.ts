import { expect, it } from 'vitest';
import { fetched, outcomeOf } from '../../../test/support/audit-facts.js';
import { httpHostVariants } from './http-host-variants.js';

const home = 'https://www.example.com/';
const redirected = (url: string) =>
  fetched(url, { redirects: [{ fromUrl: url, toUrl: home, status: 301 }], finalUrl: home });

it('fires for a variant that does not redirect', () => {
  const hostVariants = [redirected('http://www.example.com/'), fetched('https://example.com/')];
  expect(outcomeOf(httpHostVariants, [], { probes: { hostVariants } })).toMatchObject({
    status: 'fail',
    evidence: [{ url: 'https://example.com/', observed: 'ends at https://example.com with status 200' }],
  });
});

it('stays silent if all variants redirect or do not exist', () => {
  const gone = fetched('https://example.com/', { error: { code: 'dns_error', message: 'no name' } });
  const hostVariants = [redirected('http://www.example.com/'), fetched(home), gone];
  expect(outcomeOf(httpHostVariants, [], { probes: { hostVariants } }).status).toBe('pass');
  expect(outcomeOf(httpHostVariants, []).status).toBe('not-applicable');
});
