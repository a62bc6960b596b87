import { expect, it } from 'vitest';
import { cookieFacts } from './cookie-facts.js';

const BARE = {
  name: 'a',
  secure: false,
  httpOnly: false,
  sameSite: null,
  path: null,
  domain: null,
  persistent: false,
};

it.each([
  ['a=b', {}],
  [' a = b ; Secure', { secure: true }],
  ['a=b;HTTPONLY', { httpOnly: true }],
  ['a=b; SameSite=Strict', { sameSite: 'strict' }],
  ['a=b; samesite= LAX ', { sameSite: 'lax' }],
  ['a=b; SameSite=None', { sameSite: 'none' }],
  ['a=b; SameSite=laxer', { sameSite: null }],
  ['a=b; SameSite=relax', { sameSite: null }],
  ['a=b; SameSite', { sameSite: null }],
  ['a=b; Path=/x=y', { path: '/x=y' }],
  ['a=b; Domain=.example.com', { domain: '.example.com' }],
  ['a=b; Expires=Tue, 03 Mar 2026 10:00:00 GMT', { persistent: true }],
  ['a=b; Max-Age=5', { persistent: true }],
  ['=b', { name: '' }],
  ['b', { name: '' }],
  ['', { name: '' }],
  [
    `${'n'.repeat(101)}=v; Path=/${'p'.repeat(100)}; Domain=${'d'.repeat(101)}`,
    {
      name: 'n'.repeat(100),
      path: `/${'p'.repeat(99)}`,
      domain: 'd'.repeat(100),
    },
  ],
])('parses %s', (header, expected) => {
  expect(cookieFacts(header)).toEqual({ ...BARE, ...expected });
});
