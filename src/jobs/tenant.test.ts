import { expect, test } from 'vitest';
import {
  checkQuotas,
  checkSlug,
  checkTenantName,
  QUOTA_DEFAULTS,
  QUOTA_NAMES,
  quotasOf,
  readQuotas,
} from './tenant.js';

test('accepts quotas up to their maximum, with a separate maximum for storage', () => {
  const given = { jobsQueued: 0, webhooks: 10_000_000, storedBytes: 2 ** 50 };
  expect(checkQuotas(given)).toEqual(given);
});

test.each([
  [{ jobs: 1 }, 'unknown quota "jobs"; valid quotas are jobsQueued, '],
  [{ toString: 1 }, 'unknown quota "toString"'],
  [{ jobsQueued: -1 }, 'jobsQueued: expected a whole number from 0 to 10000000'],
  [{ jobsQueued: 10_000_001 }, 'jobsQueued: expected'],
  [{ jobsQueued: 1.5 }, 'jobsQueued: expected'],
  [{ jobsQueued: '1' }, 'jobsQueued: expected'],
  [
    { webhooks: 1, storedBytes: 2 ** 50 + 1 },
    'storedBytes: expected a whole number from 0 to 1125899906842624',
  ],
])('rejects quotas %o', (given, message) => {
  expect(() => checkQuotas(given)).toThrow(message);
});

test('reads known stored quotas and uses defaults for the rest', () => {
  expect(readQuotas({ webhooks: 3, jobsQueued: 'many', later: 1, toString: 1 })).toEqual({ webhooks: 3 });
  for (const stored of [null, undefined, 'text', 3]) expect(readQuotas(stored)).toEqual({});
  expect(quotasOf({ quotas: { webhooks: 3 } })).toEqual({ ...QUOTA_DEFAULTS, webhooks: 3 });
});

test('quota defaults', () => {
  expect(QUOTA_NAMES.map((name) => [name, QUOTA_DEFAULTS[name]])).toEqual([
    ['jobsQueued', 100_000],
    ['jobsRunning', 1_000],
    ['webhooks', 20],
    ['openStreams', 1_000_000],
    ['subscriptions', 1_000],
    ['subscriptionEntries', 200_000],
    ['proxyStreams', 5_000],
    ['liveReaders', 20_000],
    ['storedBytes', 1_099_511_627_776],
    ['probes', 32],
  ]);
});

test('checks the form and length of slugs and names', () => {
  for (const slug of ['a', '0-9', `a${'b'.repeat(62)}`]) expect(checkSlug(slug)).toBe(slug);
  for (const slug of ['', '-a', 'A', 'a b', 'a\n', ` a`, `a${'b'.repeat(63)}`]) {
    expect(() => checkSlug(slug)).toThrow('slug');
  }
  for (const length of [1, 200]) expect(checkTenantName('n'.repeat(length))).toHaveLength(length);
  for (const name of ['', 'n'.repeat(201)]) expect(() => checkTenantName(name)).toThrow('1 to 200');
});
