import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpRedirectChain } from './http-redirect-chain.js';

const hop = (from: string, to: string) => ({
  fromUrl: `https://www.example.com${from}`,
  toUrl: `https://www.example.com${to}`,
  status: 301,
});

it('fires for two hops and lists them', () => {
  const redirects = [hop('/a', '/b'), hop('/b', '/c')];
  expect(outcomeOf(httpRedirectChain, page('/a', { fetch: { redirects } }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: '2 redirects: 301, 301', related: [redirects[0]?.toUrl, redirects[1]?.toUrl] }],
  });
});

it('stays silent for one hop and for none', () => {
  expect(outcomeOf(httpRedirectChain, page('/a', { fetch: { redirects: [hop('/a', '/b')] } })).status).toBe(
    'pass',
  );
  expect(outcomeOf(httpRedirectChain, page('/')).status).toBe('pass');
});
