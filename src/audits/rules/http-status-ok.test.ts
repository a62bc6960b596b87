import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpStatusOk } from './http-status-ok.js';

it('fires for an error status and for no response, with the redirects', () => {
  const hop = { fromUrl: 'https://www.example.com/a', toUrl: 'https://www.example.com/b', status: 301 };
  expect(outcomeOf(httpStatusOk, page('/a', { status: 503, fetch: { redirects: [hop] } }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'status 503', related: ['https://www.example.com/b'] }],
  });
  const error = { code: 'timeout', message: 'too slow' };
  expect(outcomeOf(httpStatusOk, page('/', { fetch: { error } }))).toMatchObject({
    evidence: [{ observed: 'no response in time' }],
  });
});

it('fires for a missing home page, and leaves other missing pages and loops to their rules', () => {
  expect(outcomeOf(httpStatusOk, page('/', { status: 404 })).status).toBe('fail');
  expect(outcomeOf(httpStatusOk, page('/a', { status: 404 })).status).toBe('not-applicable');
  const error = { code: 'redirect_loop', message: '' };
  expect(outcomeOf(httpStatusOk, page('/a', { fetch: { error } })).status).toBe('not-applicable');
});

it('stays silent for 200 and does not apply to pages that robots.txt blocks', () => {
  expect(outcomeOf(httpStatusOk, page('/')).status).toBe('pass');
  expect(outcomeOf(httpStatusOk, page('/', { fetch: null })).status).toBe('not-applicable');
});
