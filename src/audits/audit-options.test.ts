import { expect, it } from 'vitest';
import { AUDIT_DEFAULTS, AUDIT_RANGES, agentToken, completeOptions } from './audit-options.js';

const NUMBERS = Object.entries(AUDIT_RANGES) as [keyof typeof AUDIT_RANGES, { min: number; max: number }][];

it('fills in defaults', () => {
  expect(completeOptions()).toEqual({
    pages: 100,
    depth: 10,
    concurrency: 4,
    delayMs: 100,
    checks: 500,
    links: 'all',
    userAgent: 'SondeBot/1.0',
    ownSite: false,
  });
  expect(completeOptions({ pages: 5, ownSite: true })).toEqual({
    ...AUDIT_DEFAULTS,
    pages: 5,
    ownSite: true,
  });
});

it('has the documented ranges', () => {
  expect(NUMBERS.map(([name, { min, max }]) => `${name} ${min}-${max}`)).toEqual([
    'pages 1-5000',
    'depth 0-100',
    'concurrency 1-32',
    'delayMs 0-60000',
    'checks 0-5000',
  ]);
});

it.each(NUMBERS)('accepts %s at both ends of its range, and rejects the rest', (name, { min, max }) => {
  expect([min, max].map((value) => completeOptions({ [name]: value })[name])).toEqual([min, max]);
  for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) {
    expect(() => completeOptions({ [name]: value })).toThrow(
      `${name} must be a whole number from ${min} to ${max}, not ${value}`,
    );
  }
});

it('accepts both kinds of links and no other', () => {
  expect(completeOptions({ links: 'internal' }).links).toBe('internal');
  expect(() => completeOptions({ links: 'external' as 'all' })).toThrow(
    'links must be internal or all, not "external"',
  );
});

it.each([
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['', false],
  ['a\nb', false],
  ['é', false],
  [' ~', true],
])('accepts the user agent %j: %s', (userAgent, accepted) => {
  const complete = () => completeOptions({ userAgent }).userAgent;
  if (accepted) expect(complete()).toBe(userAgent);
  else expect(complete).toThrow('userAgent must be 1 to 200 printable ASCII characters');
});

it.each([
  ['SondeBot/1.0 (+https://sonde.example)', 'SondeBot'],
  ['my_own-bot', 'my_own-bot'],
  ['1bot', 'SondeBot'],
])('the robots.txt token of %s is %s', (userAgent, token) => {
  expect(agentToken(userAgent)).toBe(token);
});
