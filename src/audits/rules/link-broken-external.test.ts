import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkBrokenExternal } from './link-broken-external.js';

const away = 'https://other.example/a';
const pages = [page('/', { html: `<a href="${away}">There</a>` })];

it('fires for a dead page, and for a host that does not respond while others do', () => {
  expect(outcomeOf(linkBrokenExternal, pages, { checks: [fetched(away, { status: 404 })] })).toMatchObject({
    status: 'fail',
    evidence: [{ url: away, observed: 'status 404', line: 1 }],
  });
  const error = { code: 'dns_error', message: 'gone' };
  const checks = [fetched(away, { error }), fetched('https://third.example/', { status: 403 })];
  expect(outcomeOf(linkBrokenExternal, pages, { checks })).toMatchObject({
    evidence: [{ url: away, observed: 'the host name does not resolve' }],
  });
});

it.each(['dns_error', 'connect_error', 'timeout'])('is not measured without a network: %s', (code) => {
  const checks = [fetched(away, { error: { code, message: '' } })];
  expect(outcomeOf(linkBrokenExternal, pages, { checks })).toMatchObject({
    status: 'not-measured',
    reason: expect.stringContaining('1 link on 1 host could'),
  });
});

it('stays silent for live pages and for sites that reject bots', () => {
  for (const status of [200, 403, 429, 503, 999]) {
    expect(outcomeOf(linkBrokenExternal, pages, { checks: [fetched(away, { status })] }).status).toBe('pass');
  }
  expect(outcomeOf(linkBrokenExternal, pages).status).toBe('not-measured');
  expect(outcomeOf(linkBrokenExternal, [page('/', { html: '<a href=/b>B</a>' })]).status).toBe(
    'not-applicable',
  );
});
