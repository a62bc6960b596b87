import { expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import { computeDiff } from '../compute-diff.js';

/** Whether a redirect of the right side to this path counts as a login. */
function isLogin(path: string, requested = 'https://right.example/'): boolean {
  const toUrl = `https://right.example${path}`;
  const redirects = [{ status: 302, fromUrl: requested, toUrl }];
  const left = makeEnvelope('left', { url: 'https://left.example/' });
  const right = makeEnvelope('right', { url: requested, redirects });
  return computeDiff([left], [right], {}).findings.some(({ code }) => code === 'AUTH_GATE_DRIFT');
}

test.each([
  '/login',
  '/log-in',
  '/Login.aspx',
  '/users/sign_in/sign-in',
  '/signin/',
  '/auth/start',
  '/sso',
  '/saml/x',
  '/oauth/authorize',
  '/oauth2',
  '/oidc',
  '/cas',
  '/session/new',
  '/wp-login.php',
])('a redirect to %s is a login', (path) => {
  expect(isLogin(path)).toBe(true);
});

test.each(['/', '/authors', '/blog-in', '/xlogin', '/casual', '/session/newest', '/loginx'])(
  'a redirect to %s is none',
  (path) => {
    expect(isLogin(path)).toBe(false);
  },
);

test('a redirect from one page of the login to another is none', () => {
  expect(isLogin('/login/start', 'https://right.example/login')).toBe(false);
});
