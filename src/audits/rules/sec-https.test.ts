import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secHttps } from './sec-https.js';

const tls = (validTo: string) => ({
  alpn: null,
  version: 'TLSv1.3',
  issuer: null,
  subject: null,
  altNames: [],
  validFrom: null,
  validTo,
});
const home = (validTo: string) => [page('/', { fetch: { tls: tls(validTo) } })];
const GOOD = '2027-06-01T00:00:00.000Z';

it('fires for http, for a certificate that expires within 14 days, and if http does not redirect', () => {
  const plain = { origin: 'http://www.example.com', homeUrl: 'http://www.example.com/' };
  expect(outcomeOf(secHttps, [page('/')], plain)).toMatchObject({
    evidence: [{ observed: 'served over plain HTTP' }],
  });
  expect(outcomeOf(secHttps, home('2026-11-29T12:00:00.000Z'))).toMatchObject({
    status: 'fail',
    evidence: [{ element: 'certificate' }],
  });
  const probes = { hostVariants: [fetched('http://www.example.com/')] };
  expect(outcomeOf(secHttps, home(GOOD), { probes })).toMatchObject({
    evidence: [{ observed: 'status 200 over plain HTTP' }],
  });
  const error = { code: 'tls_error', message: 'self-signed certificate' };
  expect(outcomeOf(secHttps, [page('/', { fetch: { error } })]).status).toBe('fail');
});

it.each(['http://127.0.0.1:4881', 'http://localhost:3000', 'http://[::1]:80'])(
  'does not apply to the preview at %s',
  (origin) => {
    const home = new URL('/', origin).href;
    expect(outcomeOf(secHttps, [page(home)], { origin: new URL(origin).origin, homeUrl: home }).status).toBe(
      'not-applicable',
    );
  },
);

it('stays silent for https with a valid certificate and http that redirects to it', () => {
  const from = 'http://www.example.com/';
  const to = 'https://www.example.com/';
  const probes = {
    hostVariants: [fetched(from, { redirects: [{ fromUrl: from, toUrl: to, status: 301 }] })],
  };
  expect(outcomeOf(secHttps, home(GOOD), { probes }).status).toBe('pass');
});
