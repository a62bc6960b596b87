import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpRedirectLoop } from './http-redirect-loop.js';

it('fires for a loop', () => {
  const fetch = {
    error: { code: 'redirect_loop', message: 'a loop' },
    finalUrl: 'https://www.example.com/a',
    redirects: [{ fromUrl: 'https://www.example.com/a', toUrl: 'https://www.example.com/a', status: 302 }],
  };
  expect(outcomeOf(httpRedirectLoop, page('/a', { fetch }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'a redirect back to https://www.example.com/a' }],
  });
});

it('stays silent for other failures and for pages', () => {
  const error = { code: 'timeout', message: 'too slow' };
  expect(outcomeOf(httpRedirectLoop, page('/a', { fetch: { error } })).status).toBe('pass');
  expect(outcomeOf(httpRedirectLoop, page('/')).status).toBe('pass');
});
