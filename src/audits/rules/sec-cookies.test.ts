import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secCookies } from './sec-cookies.js';

const cookie = {
  name: 'sid',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  domain: null,
  persistent: false,
};
const setting = (...cookies: (typeof cookie | { sameSite: null })[]) =>
  page('/', { fetch: { cookies: cookies.map((each) => ({ ...cookie, ...each })) } });

it('fires once per cookie, with the attributes it lacks', () => {
  const bare = { ...cookie, secure: false, httpOnly: false, sameSite: null };
  expect(outcomeOf(secCookies, [setting(bare), setting(bare)])).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'cookie sid lacks Secure, HttpOnly, SameSite' }],
  });
});

it('stays silent for protected cookies and for none', () => {
  expect(outcomeOf(secCookies, [setting(cookie)]).status).toBe('pass');
  expect(outcomeOf(secCookies, [page('/')]).status).toBe('not-applicable');
});
