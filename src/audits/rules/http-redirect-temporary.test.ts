import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpRedirectTemporary } from './http-redirect-temporary.js';

const moved = (status: number) => ({
  redirects: [{ fromUrl: 'https://www.example.com/a', toUrl: 'https://www.example.com/b', status }],
});

it('fires for 302, 303 and 307', () => {
  for (const status of [302, 303, 307]) {
    expect(outcomeOf(httpRedirectTemporary, page('/a', { fetch: moved(status) }))).toMatchObject({
      status: 'fail',
      evidence: [{ observed: `status ${status} to https://www.example.com/b` }],
    });
  }
});

it('stays silent for permanent redirects, for none, and for those that end in an error', () => {
  expect(outcomeOf(httpRedirectTemporary, page('/a', { fetch: moved(308) })).status).toBe('pass');
  expect(outcomeOf(httpRedirectTemporary, page('/')).status).toBe('pass');
  expect(outcomeOf(httpRedirectTemporary, page('/a', { status: 404, fetch: moved(302) })).status).toBe(
    'pass',
  );
});
