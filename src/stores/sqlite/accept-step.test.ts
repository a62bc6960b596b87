import { expect, onTestFinished, test } from 'vitest';
import type { ClockState } from '../../clock-watch.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { StreamClock } from './accept-step.js';
import { SqliteProxyStore } from './sqlite-proxy-store.js';
import { SqliteStreamStore } from './sqlite-stream-store.js';

const HOUR_MS = 3_600_000;
const STEP_AT = 1_700_000_000_000;
const STATE: ClockState = {
  boot: 'b',
  monotonicMs: 1,
  wallMs: 2,
  nowMs: 2,
  agreedMs: 3,
  untrustedSinceMs: null,
  jumpedMs: 4,
};

function open() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const streams = new SqliteStreamStore(database);
  const proxy = new SqliteProxyStore(database);
  const create = (id: string, usedAt: number, ends: { ttlSeconds?: number; expiresAt?: number }) =>
    streams.create({
      id,
      life: `life-${id}`,
      hash: 'abcde',
      contentType: 'text/plain',
      createdAt: usedAt,
      usedAt,
      ttlSeconds: null,
      expiresAt: null,
      ...ends,
      closed: false,
      start: { chunk: 0, position: 0 },
      inheritedBytes: 0,
      ancestors: [],
      metadata: null,
      data: null,
      collection: id.split('/').slice(0, 2).join('/'),
      openMax: 9,
    });
  const used = (id: string) => streams.get(id)?.accessedAt;
  const end = (id: string) => streams.get(id)?.expiresAt;
  return { streams, proxy, create, used, end, clock: new StreamClock(database, streams) };
}

test.each([
  ['ahead', HOUR_MS],
  ['back', -HOUR_MS],
])('a step %s moves what was used since it, and no end that a caller gave as a date', (_name, byMs) => {
  const { streams, proxy, create, used, end, clock } = open();
  create('stream/t/old', STEP_AT - 1, { ttlSeconds: 60 });
  create('stream/t/new', STEP_AT, { ttlSeconds: 60 });
  create('stream/t/dated', STEP_AT, { expiresAt: STEP_AT + 60_000 });
  create('proxy/t/old', STEP_AT - 1, { expiresAt: STEP_AT + 60_000 });
  create('proxy/t/new', STEP_AT, { expiresAt: STEP_AT + 60_000 });
  proxy.beginCreate({ key: 'k', fingerprint: 'f', now: 0, expiresAt: STEP_AT + 60_000 });
  clock.accept({ byMs, sinceMs: STEP_AT }, STATE);
  expect([used('stream/t/old'), used('stream/t/new')]).toEqual([STEP_AT - 1, STEP_AT + byMs]);
  expect(['stream/t/dated', 'proxy/t/old', 'proxy/t/new'].map(end)).toEqual([
    STEP_AT + 60_000,
    STEP_AT + 60_000,
    STEP_AT + 60_000 + byMs,
  ]);
  expect(proxy.findCreate('k', STEP_AT + 59_999 + byMs)).toBeDefined();
  expect(proxy.findCreate('k', STEP_AT + 60_000 + byMs)).toBeUndefined();
  expect(streams.expired(STEP_AT + 59_999 + byMs, 9).ids).not.toContain('stream/t/new');
  expect(streams.expired(STEP_AT + 60_000 + HOUR_MS, 9).ids).toContain('stream/t/new');
  expect(clock.load()).toEqual(STATE);
});

test('a new file has no state of the clock', () => {
  expect(open().clock.load()).toBeUndefined();
});
