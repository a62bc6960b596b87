import { expect, test } from 'vitest';
import { readOrphanPolicy } from './orphan-policy.js';

test.each([
  ['keep', null],
  ['cancel-after=1ms', { cancelAfterMs: 1 }],
  ['cancel-after=30s', { cancelAfterMs: 30_000 }],
  ['cancel-after=5m', { cancelAfterMs: 300_000 }],
  ['cancel-after=24h', { cancelAfterMs: 86_400_000 }],
])('parses %s', (text, expected) => {
  expect(readOrphanPolicy(text)).toEqual(expected);
});

test.each([
  '',
  'Keep',
  'keep ',
  'keep, keep',
  'cancel',
  'cancel-after',
  'cancel-after=',
  'cancel-after=0s',
  'cancel-after=0ms',
  'cancel-after=30',
  'cancel-after=-1s',
  'cancel-after=1.5s',
  'cancel-after=30 s',
  'cancel-after=30S',
  'xcancel-after=30s',
  'cancel-after=30sx',
  'cancel-after=25h',
  'cancel-after=86401s',
  'cancel-after=9999999s',
  'cancel-after=1d',
  'cancel-after=1e3s',
  'cancel-after=__proto__',
])('rejects %j', (text) => {
  expect(() => readOrphanPolicy(text)).toThrow(expect.objectContaining({ code: 'INVALID_ORPHAN_POLICY' }));
});
