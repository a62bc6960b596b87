import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secHeaders } from './sec-headers.js';

const GOOD: readonly (readonly [string, string])[] = [
  ['content-security-policy', "default-src 'self'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
];
const without = (name: string, ...more: [string, string][]) => [
  page('/', { headers: [...GOOD.filter(([each]) => each !== name), ...more] }),
];

it('fires for each missing header', () => {
  for (const [name] of GOOD) {
    expect(outcomeOf(secHeaders, without(name)).status, name).toBe('fail');
  }
  expect(outcomeOf(secHeaders, [page('/', { headers: [] })])).toMatchObject({
    evidence: [
      { element: 'Content-Security-Policy' },
      { element: 'X-Content-Type-Options' },
      { element: 'X-Frame-Options' },
      { element: 'Referrer-Policy' },
    ],
  });
});

it('fires for a policy that allows all inline scripts', () => {
  const loose = without('content-security-policy', [
    'content-security-policy',
    "script-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
  ]);
  expect(outcomeOf(secHeaders, loose)).toMatchObject({ evidence: [{ element: 'Content-Security-Policy' }] });
});

it('stays silent if all are set, including with a nonce or X-Frame-Options', () => {
  expect(outcomeOf(secHeaders, without('')).status).toBe('pass');
  const nonce = without(
    'content-security-policy',
    ['content-security-policy', "script-src 'nonce-abc' 'unsafe-inline'"],
    ['x-frame-options', 'DENY'],
  );
  expect(outcomeOf(secHeaders, nonce).status).toBe('pass');
});
