import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkBrokenExternal } from './link-broken-external.js';

const away = 'https://other.example/a';
const pages = [page('/', { html: `<a href="${away}">There</a>` })];

it('fires for a dead page and for a name that is gone', () => {
  expect(outcomeOf(linkBrokenExternal, pages, { checks: [fetched(away, { status: 404 })] })).toMatchObject({
    status: 'fail',
    evidence: [{ url: away, observed: 'status 404', line: 1 }],
  });
  const error = { code: 'dns_error', message: 'gone' };
  expect(outcomeOf(linkBrokenExternal, pages, { checks: [fetched(away, { error })] }).status).toBe('fail');
});

it('stays silent for live pages and for sites that refuse programs', () => {
  for (const status of [200, 403, 429, 503]) {
    expect(outcomeOf(linkBrokenExternal, pages, { checks: [fetched(away, { status })] }).status).toBe('pass');
  }
  expect(outcomeOf(linkBrokenExternal, pages).status).toBe('not-measured');
  expect(outcomeOf(linkBrokenExternal, [page('/', { html: '<a href=/b>B</a>' })]).status).toBe(
    'not-applicable',
  );
});
