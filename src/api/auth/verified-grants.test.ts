import { expect, test } from 'vitest';
import { VERIFIED_GRANTS, VerifiedGrants } from './verified-grants.js';

const keys = {};
const grant = { tenant: 'acme', scopes: new Set(['stream:read'] as const) };
const verified = { grant, keys, from: 100, until: 200, chars: 300 };

function kept() {
  const grants = new VerifiedGrants();
  grants.keep('one', verified);
  return grants;
}

test('a grant is found from the first second of its token until the last, and no longer', () => {
  for (const [seconds, found] of [
    [99, undefined],
    [100, grant],
    [199, grant],
    [200, undefined],
  ] as const) {
    expect(kept().find('one', { keys, seconds })).toBe(found);
  }
  expect(kept().find('two', { keys, seconds: 150 })).toBeUndefined();
});

test('a grant is forgotten when other keys, or none, are in use', () => {
  for (const other of [{}, undefined]) {
    const grants = kept();
    expect(grants.find('one', { keys: other, seconds: 150 })).toBeUndefined();
    expect(grants.find('one', { keys, seconds: 150 })).toBeUndefined();
    expect(grants.size).toBe(0);
  }
});

test('beyond its bounds of tokens and of their characters, the oldest are forgotten', () => {
  const grants = new VerifiedGrants();
  const now = { keys, seconds: 150 };
  for (let n = 0; n <= VERIFIED_GRANTS.max; n++) grants.keep(`${n}`, { ...verified, chars: 1 });
  expect([grants.size, grants.find('0', now), grants.find('1', now)]).toEqual([10_000, undefined, grant]);
  const chars = VERIFIED_GRANTS.charsMax - 100;
  grants.keep('long', { ...verified, chars });
  expect([grants.size, grants.find('9900', now), grants.find('9901', now)]).toEqual([101, undefined, grant]);
  for (let n = 0; n < 3; n++) grants.keep('long', { ...verified, chars });
  expect(grants.size).toBe(101);
});
