import { describe, expect, test } from 'vitest';
import type { StreamState } from '../stream-store.js';
import { allLinks, gatherLinks, noteChanges, noteLinks, noteMatches } from './follow-streams.js';
import { streamIdOf } from './stream-path.js';
import type { FollowedStreams } from './subscription-deps.js';
import { SubscriptionIndex } from './subscription-index.js';
import { DEFAULT_SUBSCRIPTION_LIMITS } from './subscription-limits.js';
import type { SubscriptionConfig, SubscriptionLink, SubscriptionStore } from './subscription-store.js';

const stateOf = (path: string, { position = 0, hash = 'abcde', deleted = false } = {}) =>
  ({ id: streamIdOf('acme', path), hash, tail: { chunk: 0, position }, deleted }) as StreamState;

/** The streams of a host, in memory. It counts the pages that were read. */
function hostOf(states: readonly StreamState[]) {
  const pages: number[] = [];
  const sorted = states.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const streams = {
    find: async (id: string) => sorted.find((state) => state.id === id),
    async list(after: string, limit: number) {
      const page = sorted.filter(({ id }) => id > after).slice(0, limit);
      pages.push(page.length);
      return page;
    },
  } as unknown as FollowedStreams;
  return { streams, pages };
}

/** Records what is noted, and when the runner has to catch up. */
function recorder(stopAfter = Number.POSITIVE_INFINITY) {
  const calls: string[] = [];
  return {
    calls,
    runner: {
      note: (_entry: unknown, path: string) => void calls.push(path),
      catchUp: async (key?: { id: string }) => void calls.push(key ? `catch up ${key.id}` : 'catch up'),
      get stopping() {
        return calls.length >= stopAfter;
      },
    },
  };
}

const CONFIG = { tenant: 'acme', id: 'one', pattern: null, wakeStream: null } as SubscriptionConfig;
const KEY = { tenant: 'acme', id: 'one' };
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `a/${String(at).padStart(4, '0')}`);

describe('the links of a new subscription', () => {
  const gather = (
    states: readonly StreamState[],
    wanted: { pattern?: string; named?: string[]; not?: string },
    links = 10,
  ) => {
    const limits = { ...DEFAULT_SUBSCRIPTION_LIMITS, links };
    const host = hostOf(states);
    const { pattern = null, named = [], not = null } = wanted;
    return gatherLinks({ streams: host.streams, limits }, 'acme', { pattern, named, not });
  };

  test('are the streams that it names, existing or not, and those that its pattern matches', async () => {
    const states = [
      stateOf('a/1', { position: 7 }),
      stateOf('a/2', { deleted: true }),
      stateOf('a/3'),
      stateOf('a/3/x'),
      stateOf('a/wake'),
      stateOf('b'),
    ];
    expect(await gather(states, { pattern: 'a/*', named: ['a/1', 'z'], not: 'a/wake' })).toEqual([
      { path: 'a/1', explicit: true, stream: { hash: 'abcde', tail: { chunk: 0, position: 7 } } },
      { path: 'z', explicit: true, stream: null },
      { path: 'a/3', explicit: false, stream: { hash: 'abcde', tail: { chunk: 0, position: 0 } } },
    ]);
    expect(await gather(states, { named: ['b'] })).toMatchObject([{ path: 'b', explicit: true }]);
  });

  test.each([
    ['c/*', ['c/1', 'c/2']],
    ['c/**', ['c', 'c/1', 'c/2']],
    ['c', ['c']],
    ['**', ['Z', 'a', 'b', 'c', 'c-x', 'c.x', 'c/1', 'c/2', 'c0', 'd']],
  ])('of %s are found between streams that sort close to them', async (pattern, expected) => {
    const states = ['Z', 'a', 'b', 'c', 'c-x', 'c.x', 'c/1', 'c/2', 'c0', 'd'].map((path) => stateOf(path));
    const links = await gather([...states, { ...stateOf('x'), id: 'stream/acmf/c/1' }], { pattern }, 20);
    expect(links.map(({ path }) => path)).toEqual(expected);
  });

  test('may be as many as the limit, and reading stops at the first beyond it', async () => {
    const states = numbered(3).map((path) => stateOf(path));
    expect(await gather(states, { pattern: 'a/*' }, 3)).toHaveLength(3);
    await expect(gather(states, { pattern: 'a/*' }, 2)).rejects.toMatchObject({
      code: 'SUBSCRIPTION_TOO_LARGE',
      details: { max: 2 },
    });
    await expect(gather([], { named: ['x', 'y', 'z'] }, 2)).rejects.toThrow('at most 2 streams');
    const { streams, pages } = hostOf(numbered(1_001).map((path) => stateOf(path)));
    const limits = { ...DEFAULT_SUBSCRIPTION_LIMITS, links: 2 };
    const wanted = { pattern: 'a/*', named: [], not: null };
    await expect(gatherLinks({ streams, limits }, 'acme', wanted)).rejects.toThrow('at most 2 streams');
    expect(pages).toEqual([500]);
  });
});

describe('changes since the links were gathered', () => {
  const notesOf = async (pattern: string | null, states: readonly StreamState[], named: string[]) => {
    const index = new SubscriptionIndex();
    const entry = index.add({ ...CONFIG, pattern, wakeStream: 'a/wake' }, named);
    const { calls, runner } = recorder();
    const seen = (path: string) => ({ path, explicit: false, stream: stateOf(path) });
    const links = [...['a/same', 'a/more', 'a/other', 'a/gone'].map(seen), ...named.map(seen)];
    await noteChanges({ index, runner, streams: hostOf(states).streams }, entry, links);
    return calls;
  };
  const states = [
    stateOf('a/same'),
    stateOf('a/more', { position: 1 }),
    stateOf('a/new'),
    stateOf('a/other', { hash: 'zzzzz' }),
    stateOf('a/wake'),
    stateOf('a/x/y'),
    stateOf('b'),
  ];

  test('are noted for every match that is new, longer, another stream or gone, and for every name', async () => {
    expect(await notesOf('a/*', states, ['b'])).toEqual([
      'a/more',
      'a/new',
      'a/other',
      'a/gone',
      'b',
      'catch up one',
    ]);
  });

  test('are noted for all links if there is no pattern', async () => {
    expect(await notesOf(null, states, ['b'])).toEqual([
      'a/same',
      'a/more',
      'a/other',
      'a/gone',
      'b',
      'catch up one',
    ]);
  });
});

describe('streams of all subscriptions at start', () => {
  const noteAll = async (count: number, stopAfter?: number) => {
    const index = new SubscriptionIndex();
    index.add({ ...CONFIG, pattern: 'a/*' }, []);
    const { calls, runner } = recorder(stopAfter);
    const { streams, pages } = hostOf([...numbered(count), 'b'].map((path) => stateOf(path)));
    await noteMatches({ index, runner, streams }, 'acme', 'a/');
    return { calls, pages };
  };

  test('are noted page by page, and the runner catches up after 500 and at the end', async () => {
    const paths = numbered(1_001);
    const { calls, pages } = await noteAll(1_001);
    expect(calls).toEqual([
      ...paths.slice(0, 500),
      'catch up',
      ...paths.slice(500, 1_000),
      'catch up',
      'a/1000',
      'catch up',
    ]);
    expect(pages).toEqual([500, 500, 2]);
  });

  test.each([
    [499, [499]],
    [500, [500, 0]],
    [501, [500, 1]],
  ])('are read in pages: %d of them in %j', async (count, expected) => {
    const { streams, pages } = hostOf(numbered(count).map((path) => stateOf(path)));
    await noteMatches({ index: new SubscriptionIndex(), runner: recorder().runner, streams }, 'acme', 'a/');
    expect(pages).toEqual(expected);
  });

  test('are not noted any more once the runner stops', async () => {
    expect((await noteAll(9, 3)).calls).toEqual(['a/0000', 'a/0001', 'a/0002']);
  });
});

describe('the links of a stored subscription', () => {
  const storeOf = (count: number) => {
    const all = numbered(count).map((path) => ({ path }) as SubscriptionLink);
    const reads: string[] = [];
    const store = {
      async links(_key: unknown, after: string, limit: number) {
        reads.push(after);
        return all.filter(({ path }) => path > after).slice(0, limit);
      },
    } as unknown as SubscriptionStore;
    return { store, reads };
  };

  test.each([
    [0, ['']],
    [499, ['']],
    [500, ['', 'a/0499']],
    [501, ['', 'a/0499']],
  ])('%d of them are read in pages', async (count, expected) => {
    const { store, reads } = storeOf(count);
    const paths: string[] = [];
    for await (const { path } of allLinks({ store }, KEY)) paths.push(path);
    expect(paths).toEqual(numbered(count));
    expect(reads).toEqual(expected);
  });

  test('are all noted, and the runner catches up with that subscription', async () => {
    const index = new SubscriptionIndex();
    const { calls, runner } = recorder();
    const deps = { index, runner, store: storeOf(2).store };
    await noteLinks(deps, KEY);
    expect(calls).toEqual([]);
    index.add(CONFIG, []);
    await noteLinks(deps, KEY);
    expect(calls).toEqual(['a/0000', 'a/0001', 'catch up one']);
  });
});
