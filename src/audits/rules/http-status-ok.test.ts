import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpStatusOk } from './http-status-ok.js';

it('fires for an error status and for no answer at all, with the hops', () => {
  const hop = { fromUrl: 'https://www.example.com/a', toUrl: 'https://www.example.com/b', status: 301 };
  expect(outcomeOf(httpStatusOk, page('/a', { status: 404, fetch: { redirects: [hop] } }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'status 404', related: ['https://www.example.com/b'] }],
  });
  const error = { code: 'timeout', message: 'too slow' };
  expect(outcomeOf(httpStatusOk, page('/', { fetch: { error } }))).toMatchObject({
    evidence: [{ observed: 'no answer: timeout' }],
  });
});

it('stays silent for 200 and is not about pages that robots.txt closed', () => {
  expect(outcomeOf(httpStatusOk, page('/')).status).toBe('pass');
  expect(outcomeOf(httpStatusOk, page('/', { fetch: null })).status).toBe('not-applicable');
});
