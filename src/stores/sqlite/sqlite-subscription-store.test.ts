import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import type { NewLink, NewSubscription, StepContext, WakeEvent } from '../../streams/index.js';
import { SqliteSubscriptionStore } from './sqlite-subscription-store.js';

let folder: string;
let database: OpenDatabase;
let store: SqliteSubscriptionStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-subscriptions-'));
  database = openDatabase(join(folder, 'sonde.db'));
  store = new SqliteSubscriptionStore(database);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const KEY = { tenant: 'acme', id: 'one' };
const at = (position: number, hash = 'aaaaa') => ({ hash, tail: { chunk: 0, position } });

const subscription = (more: Partial<NewSubscription> = {}): NewSubscription => ({
  ...KEY,
  mode: 'pull-wake',
  pattern: 'a/*',
  webhookSealed: null,
  wakeStream: 'wake',
  leaseMs: 1000,
  description: null,
  createdAt: 1,
  nonce: 'n',
  baseUrl: 'http://x',
  configHash: 'h',
  links: [],
  ...more,
});

const link = (path: string, stream: NewLink['stream'] = null): NewLink => ({ path, explicit: true, stream });

const context = (now = 0, more: Partial<StepContext> = {}): StepContext => ({
  now,
  newWakeId: `w${now}`,
  linksMax: 10,
  ...more,
});

const NOTICED: WakeEvent = { kind: 'noticed' };
const check = (path: string, stream: NewLink['stream'], now = 0) =>
  store.step(KEY, { wake: NOTICED, checks: [{ path, stream }] }, context(now));
const linksOf = () => store.links(KEY, '', 100);

test('creates a subscription once, finds it only for its tenant, and counts per tenant', () => {
  expect(store.create(subscription({ links: [link('a/b', at(3))] }), 2)).toMatchObject({ kind: 'created' });
  expect(store.create(subscription({ configHash: 'other' }), 2)).toMatchObject({
    kind: 'exists',
    record: { configHash: 'h' },
  });
  expect(store.create(subscription({ id: 'two' }), 2).kind).toBe('created');
  expect(store.create(subscription({ id: 'three' }), 2)).toEqual({ kind: 'full' });
  expect(store.create(subscription({ tenant: 'umbrella' }), 2).kind).toBe('created');
  expect(store.get({ tenant: 'umbrella', id: 'two' })).toBeUndefined();
  expect(store.list(null, 10).map(({ tenant, id }) => `${tenant}/${id}`)).toEqual([
    'acme/one',
    'acme/two',
    'umbrella/one',
  ]);
  expect(store.list(KEY, 1)).toMatchObject([{ id: 'two' }]);
});

test('existing data counts as acknowledged, new data does not', () => {
  store.create(subscription({ links: [link('a/old', at(3)), link('a/none')] }), 9);
  expect(linksOf()).toMatchObject([
    { path: 'a/none', stream: null, acked: null, pending: false },
    { path: 'a/old', acked: { position: 3 }, pending: false },
  ]);
  expect(check('a/old', at(3))).toMatchObject({ record: { wake: { phase: 'idle' } } });
  expect(check('a/old', at(5))).toMatchObject({ nextWake: true, record: { wake: { phase: 'woken' } } });
  check('a/none', at(1));
  check('a/new', at(0));
  expect(store.newsFirst(KEY, 10)).toMatchObject([
    { path: 'a/none', pending: true, explicit: true },
    { path: 'a/old', pending: true },
    { path: 'a/new', pending: false, explicit: false },
  ]);
  expect(store.newsFirst(KEY, 1)).toMatchObject([{ path: 'a/none' }]);
});

test('an outdated check is ignored; a recreated stream starts over', () => {
  store.create(subscription(), 9);
  check('a/x', at(9));
  check('a/x', at(4));
  expect(linksOf()).toMatchObject([{ stream: { tail: { position: 9 } } }]);
  check('a/x', at(2, 'bbbbb'));
  expect(linksOf()).toMatchObject([{ stream: { hash: 'bbbbb', tail: { position: 2 } }, acked: null }]);
});

test('a removed stream loses its link; a stream that never existed keeps it', () => {
  store.create(subscription({ links: [link('a/gone', at(1)), link('a/awaited')] }), 9);
  expect(check('a/gone', null)).toMatchObject({ dropped: ['a/gone'] });
  expect(check('a/awaited', null)).toMatchObject({ dropped: [] });
  expect(linksOf().map(({ path }) => path)).toEqual(['a/awaited']);
});

test('limits links: named ones are added all or none, matched ones singly', () => {
  store.create(subscription(), 9);
  expect(store.link(KEY, [link('1'), link('2'), link('3')], 2)).toBe('full');
  expect(linksOf()).toEqual([]);
  expect(store.link(KEY, [link('1'), link('2')], 2)).toBe('linked');
  expect(store.link(KEY, [link('1')], 2)).toBe('linked');
  const checks = ['3', '1', '4'].map((path) => ({ path, stream: at(1) }));
  const outcome = store.step(KEY, { wake: NOTICED, checks }, context(0, { linksMax: 3 }));
  expect(outcome).toMatchObject({ overflow: 1 });
  expect(linksOf().map(({ path }) => path)).toEqual(['1', '2', '3']);
  expect(store.link({ tenant: 'acme', id: 'nobody' }, [], 2)).toBe('missing');
});

test('an unlinked stream stays if the pattern matches it, otherwise its link is removed', () => {
  store.create(subscription({ links: [link('a/b', at(1)), link('z', at(1))] }), 9);
  store.unlink(KEY, 'a/b', true);
  store.unlink(KEY, 'z', false);
  store.unlink(KEY, 'never', false);
  expect(linksOf()).toMatchObject([{ path: 'a/b', explicit: false, acked: { position: 1 } }]);
});

test('acks of a caller apply all or none, and never move backwards', () => {
  store.create(subscription(), 9);
  check('a/x', at(9));
  check('a/y', at(9));
  const claimed = store.step(KEY, { wake: { kind: 'claim', worker: 'me' } }, context());
  if (claimed.kind !== 'accepted' || claimed.record.wake.phase !== 'leased') throw new Error('not leased');
  const { generation, wakeId } = claimed.record.wake;
  const ack = (entries: readonly [string, number][], done = false, strict = true) =>
    store.step(
      KEY,
      {
        wake: { kind: 'ack', done, generation, wakeId },
        acks: {
          strict,
          entries: entries.map(([path, position]) => ({ path, at: { chunk: 0, position }, stream: at(9) })),
        },
      },
      context(1),
    );
  expect(ack([['a/x', 5]])).toMatchObject({ kind: 'accepted', record: { wake: { leaseUntil: 1001 } } });
  expect(
    ack([
      ['a/y', 5],
      ['a/x', 4],
    ]),
  ).toEqual({ kind: 'bad_ack', path: 'a/x', why: 'regress' });
  expect(
    ack([
      ['a/y', 5],
      ['b', 4],
    ]),
  ).toEqual({ kind: 'bad_ack', path: 'b', why: 'unknown' });
  expect(linksOf().map(({ acked }) => acked?.position ?? null)).toEqual([5, null]);
  expect(
    ack(
      [
        ['a/x', 9],
        ['a/y', 9],
      ],
      true,
    ),
  ).toMatchObject({ nextWake: false, record: { wake: { phase: 'idle' } } });
  expect(ack([['a/x', 9]], true)).toEqual({ kind: 'refused', why: { rule: 'fenced' } });
});

test('acks of an ended wake change nothing', () => {
  store.create(subscription({ mode: 'webhook' }), 9);
  check('a/x', at(9));
  const acks = { strict: false, entries: [{ path: 'a/x', at: at(9).tail, stream: at(9) }] };
  store.step(KEY, { wake: { kind: 'delivered', done: true, generation: 7, wakeId: 'w0' }, acks }, context());
  expect(linksOf()).toMatchObject([{ acked: null, pending: true }]);
});

test('a wake’s own acks skip a recreated stream', () => {
  store.create(subscription({ mode: 'webhook' }), 9);
  check('a/x', at(9));
  check('a/x', at(4, 'bbbbb'));
  const acks = { strict: false, entries: [{ path: 'a/x', at: at(9).tail, stream: at(9) }] };
  const done = { kind: 'delivered', done: true, generation: 1, wakeId: 'w0' } as const;
  expect(store.step(KEY, { wake: done, acks }, context())).toMatchObject({ nextWake: true });
  expect(linksOf()).toMatchObject([{ stream: { hash: 'bbbbb' }, acked: null, pending: true }]);
});

test('all state survives a new store, and removing leaves no rows', () => {
  store.create(subscription({ links: [link('a/b', at(1))] }), 9);
  check('a/b', at(5));
  store.step(KEY, { wake: { kind: 'claim', worker: 'me' } }, context(50));
  const before = [store.get(KEY), linksOf()];
  store = new SqliteSubscriptionStore(database);
  expect([store.get(KEY), linksOf()]).toEqual(before);
  expect(store.get(KEY)?.wake).toMatchObject({
    phase: 'leased',
    holder: 'me',
    leaseUntil: 1050,
    generation: 1,
  });
  store.remove(KEY);
  for (const table of ['subscriptions', 'subscription_links']) {
    expect(database.all(`SELECT * FROM ${table}`, [])).toEqual([]);
  }
  expect(store.step(KEY, { wake: NOTICED }, context())).toEqual({ kind: 'missing' });
});

test('refuses a data folder of another version', () => {
  database.run('UPDATE subscription_schema SET version = 99', []);
  expect(() => new SqliteSubscriptionStore(database)).toThrow('subscription schema 99');
});
