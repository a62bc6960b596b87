import { expect, test } from 'vitest';
import { SubscriptionIndex } from './subscription-index.js';
import type { SubscriptionConfig } from './subscription-store.js';

const config = (id: string, more: Partial<SubscriptionConfig> = {}): SubscriptionConfig => ({
  tenant: 'acme',
  id,
  mode: 'webhook',
  pattern: null,
  webhookSealed: 'sealed',
  wakeStream: null,
  leaseMs: 1000,
  description: null,
  createdAt: 0,
  nonce: 'n',
  baseUrl: 'http://x',
  configHash: 'h',
  ...more,
});

const idsFor = (index: SubscriptionIndex, tenant: string, path: string) =>
  index.following(tenant, path).map(({ key }) => key.id);

test('finds subscriptions by name and by pattern, each once, and never across tenants', () => {
  const index = new SubscriptionIndex();
  index.add(config('named'), ['a/b', 'a/c']);
  index.add(config('globbed', { pattern: 'a/*' }), ['a/b']);
  index.add(config('other', { tenant: 'umbrella', pattern: '**' }), []);
  expect(idsFor(index, 'acme', 'a/b').sort()).toEqual(['globbed', 'named']);
  expect(idsFor(index, 'acme', 'z')).toEqual([]);
  expect(idsFor(index, 'umbrella', 'a/b')).toEqual(['other']);
  expect(idsFor(index, 'nobody', 'a/b')).toEqual([]);
});

test('finds patterns of every shape', () => {
  const index = new SubscriptionIndex();
  for (const pattern of ['a/*', '*/b', '**', 'a/**', 'a', 'z/*', '%2A/b'])
    index.add(config(pattern, { pattern }), []);
  expect(idsFor(index, 'acme', 'a/b').sort()).toEqual(['**', '*/b', 'a/*', 'a/**']);
  expect(idsFor(index, 'acme', 'a').sort()).toEqual(['**', 'a', 'a/**']);
  expect(idsFor(index, 'acme', '*/b').sort()).toEqual(['%2A/b', '**', '*/b']);
});

test('lists only prefixes that no other prefix covers', () => {
  const index = new SubscriptionIndex();
  for (const pattern of ['a/b/*', 'a/*', 'c/d', 'c/d/*', 'a/b/c/*'])
    index.add(config(pattern, { pattern }), []);
  index.add(config('named'), ['z']);
  expect(index.prefixes('acme')).toEqual(['a/', 'c/d']);
  index.add(config('all', { pattern: '**' }), []);
  expect(index.prefixes('acme')).toEqual(['']);
  expect(index.prefixes('umbrella')).toEqual([]);
  index.add(config('odd', { tenant: 'umbrella', pattern: 'undefined/*' }), []);
  expect(index.prefixes('umbrella')).toEqual(['undefined/']);
});

test('a wake stream is not followed by its own subscription', () => {
  const index = new SubscriptionIndex();
  const entry = index.add(config('pull', { pattern: '**', wakeStream: 'wake' }), ['wake']);
  expect(idsFor(index, 'acme', 'wake')).toEqual([]);
  expect(index.follows(entry, 'wake')).toBe(false);
  expect(index.follows(entry, 'a')).toBe(true);
});

test('removing an entry frees its room and leaves nothing behind', () => {
  const index = new SubscriptionIndex();
  index.add(config('one'), ['a', 'b']);
  index.add(config('one'), ['a', 'b']);
  expect(() => index.demandRoom('acme', 1, 3)).toThrow(
    expect.objectContaining({ code: 'TOO_MANY_SUBSCRIPTIONS' }),
  );
  // Another tenant has its own limit.
  index.demandRoom('umbrella', 3, 3);
  index.unlink({ tenant: 'acme', id: 'one' }, 'b');
  index.demandRoom('acme', 1, 3);
  expect(idsFor(index, 'acme', 'b')).toEqual([]);
  index.remove({ tenant: 'acme', id: 'one' });
  expect(index.tenants).toEqual([]);
  index.demandRoom('acme', 3, 3);
});

const key = (id: string, tenant = 'acme') => ({ tenant, id });

test('removing one subscription leaves the others of its tenant and of other tenants', () => {
  const index = new SubscriptionIndex();
  index.add(config('one', { pattern: 'a/*' }), ['b']);
  index.add(config('two', { pattern: 'a/*' }), ['b']);
  index.add(config('one', { tenant: 'umbrella', pattern: 'a/*' }), ['b']);
  expect(index.tenants).toEqual(['acme', 'umbrella']);
  index.remove(key('one'));
  index.remove(key('none'));
  index.remove(key('one', 'nobody'));
  expect(index.find(key('one'))).toBeUndefined();
  for (const path of ['a/x', 'b']) {
    expect(idsFor(index, 'acme', path)).toEqual(['two']);
    expect(idsFor(index, 'umbrella', path)).toEqual(['one']);
  }
  index.remove(key('two'));
  expect(index.tenants).toEqual(['umbrella']);
});

test('a stream is linked and unlinked by name, each time only once', () => {
  const index = new SubscriptionIndex();
  const entry = index.add(config('one', { pattern: 'a/*' }), ['b', 'b']);
  index.add(config('two'), ['b']);
  index.link(key('one'), 'c');
  index.link(key('one'), 'c');
  expect(idsFor(index, 'acme', 'c')).toEqual(['one']);
  // Two subscriptions and three links.
  index.demandRoom('acme', 1, 6);
  expect(() => index.demandRoom('acme', 1, 5)).toThrow('at most 5 subscriptions and named streams');
  expect([...entry.explicit]).toEqual(['b', 'c']);
  expect(['a/x', 'b', 'c', 'd'].map((path) => index.follows(entry, path))).toEqual([true, true, true, false]);
  index.unlink(key('one'), 'b');
  index.unlink(key('one'), 'b');
  index.unlink(key('one'), 'a/x');
  expect(idsFor(index, 'acme', 'b')).toEqual(['two']);
  expect(idsFor(index, 'acme', 'a/x')).toEqual(['one']);
  expect(() => index.demandRoom('acme', 1, 4)).toThrow('at most 4');
});

test('links of an unknown subscription or tenant change nothing', () => {
  const index = new SubscriptionIndex();
  index.add(config('one'), []);
  for (const unknown of [key('two'), key('one', 'umbrella')]) {
    index.link(unknown, 'a');
    index.unlink(unknown, 'a');
    expect(index.find(unknown)).toBeUndefined();
    expect(idsFor(index, unknown.tenant, 'a')).toEqual([]);
  }
});
