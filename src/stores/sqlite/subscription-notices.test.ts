/** Several subscriptions in one store: what a call changes belongs to one of them. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { NewLink, NewSubscription, SubscriptionKey } from '../../streams/index.js';
import { SqliteSubscriptionStore } from './sqlite-subscription-store.js';

const ONE = { tenant: 'acme', id: 'one' };
const TWO = { tenant: 'acme', id: 'two' };
const FOREIGN = { tenant: 'umbrella', id: 'one' };
const CONTEXT = { now: 5, linksMax: 3 };
const at = (position: number, hash = 'aaaaa') => ({ hash, tail: { chunk: 0, position } });
const link = (path: string, stream: NewLink['stream'] = null, explicit = true): NewLink => ({
  ...{ path, explicit, stream },
});

let store: SqliteSubscriptionStore;

function create(key: SubscriptionKey, links: readonly NewLink[] = []): void {
  const config: NewSubscription = {
    ...{ ...key, mode: 'pull-wake', pattern: 'a/*', webhookSealed: null, wakeStream: 'wake', leaseMs: 1_000 },
    ...{ description: null, createdAt: 1, nonce: 'n', baseUrl: 'http://x', configHash: 'h', links },
  };
  store.create(config, 9);
}

beforeEach(() => {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  store = new SqliteSubscriptionStore(database);
});

const paths = (key: SubscriptionKey) => store.links(key, '', 99).map(({ path }) => path);
const notice = (key: SubscriptionKey, checks: readonly { path: string; stream: NewLink['stream'] }[]) =>
  store.notice([{ key, checks, newWakeId: 'w' }], CONTEXT)[0];

test('removing or unlinking changes one subscription of one tenant', () => {
  for (const key of [ONE, TWO, FOREIGN]) create(key, [link('p', at(1)), link('q', at(1))]);
  store.unlink(TWO, 'p', false);
  expect([ONE, TWO, FOREIGN].map(paths)).toEqual([['p', 'q'], ['q'], ['p', 'q']]);
  store.remove(ONE);
  expect([store.get(ONE), store.get(TWO)?.id, store.get(FOREIGN)?.id]).toEqual([undefined, 'two', 'one']);
  expect([ONE, TWO, FOREIGN].map(paths)).toEqual([[], ['q'], ['p', 'q']]);
  store.unlink(TWO, 'none', true);
  expect(paths(TWO)).toEqual(['q']);
});

test('the links with news come first, and no more than the limit', () => {
  create(ONE, [link('a', at(1)), link('b', at(1)), link('c', at(1))]);
  create(TWO, [link('z', at(1))]);
  notice(ONE, [{ path: 'c', stream: at(2) }]);
  notice(ONE, [{ path: 'b', stream: at(2) }]);
  const first = (limit: number) => store.newsFirst(ONE, limit).map(({ path }) => path);
  expect([0, 1, 2, 3, 9].map(first)).toEqual([[], ['b'], ['b', 'c'], ['b', 'c', 'a'], ['b', 'c', 'a']]);
  expect(store.links(ONE, 'a', 1).map(({ path }) => path)).toEqual(['b']);
});

test('linking a stream again keeps its state and makes it explicit for good', () => {
  create(ONE, [link('a', at(4), false), link('b', at(4))]);
  notice(ONE, [{ path: 'a', stream: at(9) }]);
  expect(store.link(ONE, [link('a', at(9)), link('b', null, false)], 2)).toBe('linked');
  expect(store.links(ONE, '', 9)).toMatchObject([
    { path: 'a', explicit: true, acked: { position: 4 }, stream: { tail: { position: 9 } }, pending: true },
    { path: 'b', explicit: true, acked: { position: 4 }, stream: { tail: { position: 4 } }, pending: false },
  ]);
  expect(store.link(ONE, [link('c')], 2)).toBe('full');
  expect(store.link(ONE, [link('c')], 3)).toBe('linked');
});

test('a notice without news is null, and one that changes something has its outcome', () => {
  create(ONE, [link('a', at(1)), link('b', at(1))]);
  expect(notice({ tenant: 'acme', id: 'none' }, [])).toEqual({ kind: 'missing' });
  expect(notice(ONE, [{ path: 'a', stream: at(1) }])).toBeNull();
  expect(notice(ONE, [{ path: 'a', stream: at(2) }])).toMatchObject({
    ...{ kind: 'accepted', nextWake: true, dropped: [], overflow: 0 },
    record: { wake: { phase: 'woken', wakeId: 'w' } },
  });
  expect(notice(ONE, [{ path: 'b', stream: at(2) }])).toBeNull();
});

test('a notice that only drops a link or only exceeds the limit is not null', () => {
  create(ONE, [link('a', at(1)), link('b', at(1))]);
  expect(notice(ONE, [{ path: 'a', stream: null }])).toMatchObject({ dropped: ['a'], overflow: 0 });
  create(TWO, [link('a', at(1)), link('b', at(1)), link('c', at(1))]);
  expect(notice(TWO, [{ path: 'd', stream: at(0) }])).toMatchObject({ dropped: [], overflow: 1 });
  const both = [
    { path: 'd', stream: at(0) },
    { path: 'a', stream: null },
  ];
  expect(notice(TWO, both)).toMatchObject({ dropped: ['a'], overflow: 1 });
});

test('a link that was dropped makes room for a new one in the same call', () => {
  create(ONE, [link('a', at(1)), link('b', at(1)), link('c', at(1))]);
  const checks = [
    { path: 'x', stream: at(0) },
    { path: 'a', stream: null },
    { path: 'y', stream: at(0) },
    { path: 'z', stream: at(0) },
  ];
  expect(notice(ONE, checks)).toMatchObject({ dropped: ['a'], overflow: 2 });
  expect(paths(ONE)).toEqual(['b', 'c', 'y']);
});

test('notices of several subscriptions have their outcomes in order', () => {
  for (const key of [ONE, TWO]) create(key, [link('a', at(1))]);
  const noticed = [ONE, TWO].map((key, n) => ({
    ...{ key, newWakeId: `w${n}`, checks: [{ path: 'a', stream: at(1 + n) }] },
  }));
  expect(store.notice(noticed, CONTEXT)).toMatchObject([
    null,
    { record: { id: 'two', wake: { wakeId: 'w1' } } },
  ]);
});

test('a list continues after a subscription, by tenant and then id', () => {
  for (const key of [FOREIGN, TWO, ONE]) create(key);
  const ids = (after: SubscriptionKey | null, limit = 9) =>
    store.list(after, limit).map(({ tenant, id }) => `${tenant}/${id}`);
  expect(ids(null, 2)).toEqual(['acme/one', 'acme/two']);
  expect([ids(TWO), ids(FOREIGN)]).toEqual([['umbrella/one'], []]);
});

/** Claims the wake of `a` and acknowledges positions of it. */
function claimed() {
  create(ONE, [link('a', at(4)), link('b', at(4))]);
  notice(ONE, [{ path: 'a', stream: at(9) }]);
  const context = { ...CONTEXT, newWakeId: 'w' };
  const outcome = store.step(ONE, { wake: { kind: 'claim', worker: 'me' } }, context);
  if (outcome.kind !== 'accepted' || outcome.record.wake.phase !== 'leased') throw new Error('not leased');
  const { generation, wakeId } = outcome.record.wake;
  const acknowledge = (positions: readonly number[], strict: boolean, hash = 'aaaaa') => {
    const entries = positions.map((position) => ({
      ...{ path: 'a', at: { chunk: 0, position }, stream: at(9, hash) },
    }));
    const wake = { kind: 'ack', done: false, generation, wakeId } as const;
    return store.step(ONE, { wake, acks: { strict, entries } }, context).kind;
  };
  return { acknowledge, acked: () => store.links(ONE, '', 1)[0]?.acked?.position };
}

test('strict acks go forward, may repeat, and are checked against those before them in the call', () => {
  const { acknowledge, acked } = claimed();
  expect([acknowledge([4], true), acknowledge([6, 6, 7], true), acked()]).toEqual([
    'accepted',
    'accepted',
    7,
  ]);
  expect([acknowledge([8, 7], true), acked()]).toEqual(['bad_ack', 7]);
  expect([acknowledge([7], true), acknowledge([6], true), acked()]).toEqual(['accepted', 'bad_ack', 7]);
});

test('other acks of the same stream apply too, but never go back', () => {
  const { acknowledge, acked } = claimed();
  expect([acknowledge([7, 5], false), acked()]).toEqual(['accepted', 7]);
  expect([acknowledge([6], false), acked()]).toEqual(['accepted', 7]);
  expect([acknowledge([9], false, 'bbbbb'), acked()]).toEqual(['accepted', 7]);
});
