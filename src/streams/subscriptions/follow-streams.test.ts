import { describe, expect, onTestFinished, test } from 'vitest';
import { asyncPort, withMethods } from '../../../test/support/async-port.js';
import { callOf } from '../../../test/support/inline-streams.js';
import { Bench } from '../../../test/support/subscription-bench.js';
import { SqliteSubscriptionStore } from '../../stores/sqlite/sqlite-subscription-store.js';
import { allLinks, gatherLinks, noteChanges, noteLinks, noteMatches, seenOf } from './follow-streams.js';
import { streamIdOf } from './stream-path.js';
import type { FollowedStreams } from './subscription-deps.js';
import { SubscriptionIndex } from './subscription-index.js';
import { DEFAULT_SUBSCRIPTION_LIMITS } from './subscription-limits.js';
import type { SubscriptionConfig, SubscriptionStore } from './subscription-store.js';

const idOf = (path: string) => streamIdOf('acme', path);

/** The streams of a host, and the sizes of the pages that were read. */
async function hostOf(paths: readonly string[]) {
  const { streams: service } = openBench();
  const write = (act: 'create' | 'append' | 'remove', id: string, body = '', headers = {}) => {
    const given = { 'content-type': 'application/json', ...headers };
    return service[act](callOf(id, { headers: given, body }));
  };
  for (const path of paths) await write('create', idOf(path));
  const pages: number[] = [];
  const streams: FollowedStreams = {
    find: (id) => service.find(id),
    gaveOut: (stream, at) => service.gaveOut(stream, at),
    appendMessage: (id, message) => service.appendMessage(id, message),
    async list(after, limit) {
      const page = await service.list(after, limit);
      pages.push(page.length);
      return page;
    },
  };
  const seen = async (path: string) => {
    const state = await service.find(idOf(path));
    return state ? seenOf(state) : null;
  };
  return { streams, pages, write, seen };
}

function openBench(): Bench {
  const bench = new Bench();
  onTestFinished(async () => {
    await bench.service.stop();
    await bench.streams.stop();
    bench.database.close();
  });
  return bench;
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

const KEY = { tenant: 'acme', id: 'one' };
const CONFIG: SubscriptionConfig = {
  ...{ ...KEY, mode: 'pull-wake', pattern: null, webhookSealed: null, wakeStream: null, leaseMs: 1_000 },
  ...{ description: null, createdAt: 0, nonce: 'n', baseUrl: 'http://sonde.test', configHash: 'h' },
};
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `a/${String(at).padStart(4, '0')}`);

describe('the links of a new subscription', () => {
  const gather = (
    { streams }: { readonly streams: FollowedStreams },
    wanted: { pattern?: string; named?: string[]; not?: string },
    links = 10,
  ) => {
    const limits = { ...DEFAULT_SUBSCRIPTION_LIMITS, links };
    const { pattern = null, named = [], not = null } = wanted;
    return gatherLinks({ streams, limits }, 'acme', { pattern, named, not });
  };

  test('are the streams that it names, existing or not, and those that its pattern matches', async () => {
    const host = await hostOf(['a/1', 'a/2', 'a/3', 'a/3/x', 'a/wake', 'b']);
    await host.write('append', idOf('a/1'), '{"n":1}');
    // Its row stays for the fork.
    await host.write('create', idOf('fork'), '', { 'stream-forked-from': idOf('a/2') });
    await host.write('remove', idOf('a/2'));
    expect(await gather(host, { pattern: 'a/*', named: ['a/1', 'z'], not: 'a/wake' })).toEqual([
      { path: 'a/1', explicit: true, stream: await host.seen('a/1') },
      { path: 'z', explicit: true, stream: null },
      { path: 'a/3', explicit: false, stream: await host.seen('a/3') },
    ]);
    expect((await host.seen('a/1'))?.tail.position).toBeGreaterThan(0);
    expect(await gather(host, { named: ['b'] })).toMatchObject([{ path: 'b', explicit: true }]);
  });

  test.each([
    ['c/*', ['c/1', 'c/2']],
    ['c/**', ['c', 'c/1', 'c/2']],
    ['c', ['c']],
    ['**', ['Z', 'a', 'b', 'c', 'c-x', 'c.x', 'c/1', 'c/2', 'c0', 'd']],
  ])('of %s are found between streams that sort close to them', async (pattern, expected) => {
    const host = await hostOf(['Z', 'a', 'b', 'c', 'c-x', 'c.x', 'c/1', 'c/2', 'c0', 'd']);
    for (const tenant of ['acmd', 'acmf']) await host.write('create', streamIdOf(tenant, 'c/1'));
    const links = await gather(host, { pattern }, 20);
    expect(links.map(({ path }) => path)).toEqual(expected);
  });

  test('may be as many as the limit, and reading stops at the first beyond it', async () => {
    const few = await hostOf(numbered(3));
    expect(await gather(few, { pattern: 'a/*' }, 3)).toHaveLength(3);
    await expect(gather(few, { pattern: 'a/*' }, 2)).rejects.toMatchObject({
      code: 'SUBSCRIPTION_TOO_LARGE',
      details: { max: 2 },
    });
    await expect(gather(few, { named: ['x', 'y', 'z'] }, 2)).rejects.toThrow('at most 2 streams');
    const many = await hostOf(numbered(1_001));
    await expect(gather(many, { pattern: 'a/*' }, 2)).rejects.toThrow('at most 2 streams');
    expect(many.pages).toEqual([500]);
  });
});

describe('changes since the links were gathered', () => {
  const LINKED = ['a/same', 'a/more', 'a/other', 'a/gone', 'b'];

  const notesOf = async (pattern: string | null) => {
    const { streams, write, seen } = await hostOf([...LINKED, 'a/wake', 'a/x/y']);
    const links = await Promise.all(
      LINKED.map(async (path) => ({ path, explicit: false, stream: await seen(path) })),
    );
    await write('append', idOf('a/more'), '{"n":1}');
    await write('create', idOf('a/new'));
    await write('remove', idOf('a/gone'));
    await write('remove', idOf('a/other'));
    await write('create', idOf('a/other'));
    const index = new SubscriptionIndex();
    const entry = index.add({ ...CONFIG, pattern, wakeStream: 'a/wake' }, ['b']);
    const { calls, runner } = recorder();
    await noteChanges({ index, runner, streams }, entry, links);
    return calls;
  };

  test('are noted for every match that is new, longer, another stream or gone, and for every name', async () => {
    const expected = ['a/more', 'a/new', 'a/other', 'a/gone', 'b', 'catch up one'];
    expect(await notesOf('a/*')).toEqual(expected);
  });

  test('are noted for all links if there is no pattern', async () => {
    expect(await notesOf(null)).toEqual([...LINKED, 'catch up one']);
  });
});

describe('streams of all subscriptions at start', () => {
  const noteAll = async (count: number, stopAfter?: number) => {
    const index = new SubscriptionIndex();
    index.add({ ...CONFIG, pattern: 'a/*' }, []);
    const { calls, runner } = recorder(stopAfter);
    const { streams, pages } = await hostOf([...numbered(count), 'b']);
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
    const { streams, pages } = await hostOf(numbered(count));
    await noteMatches({ index: new SubscriptionIndex(), runner: recorder().runner, streams }, 'acme', 'a/');
    expect(pages).toEqual(expected);
  });

  test('are not noted any more once the runner stops', async () => {
    expect((await noteAll(9, 3)).calls).toEqual(['a/0000', 'a/0001', 'a/0002']);
  });
});

describe('the links of a stored subscription', () => {
  async function storeOf(count: number) {
    const real = asyncPort<SubscriptionStore>(new SqliteSubscriptionStore(openBench().database));
    const links = numbered(count).map((path) => ({ path, explicit: true, stream: null }));
    await real.create({ ...CONFIG, links }, 1);
    const reads: string[] = [];
    const store = withMethods(real, {
      links: (key, after, limit) => {
        reads.push(after);
        return real.links(key, after, limit);
      },
    });
    return { store, reads };
  }

  test.each([
    [0, ['']],
    [499, ['']],
    [500, ['', 'a/0499']],
    [501, ['', 'a/0499']],
  ])('%d of them are read in pages', async (count, expected) => {
    const { store, reads } = await storeOf(count);
    const paths: string[] = [];
    for await (const { path } of allLinks({ store }, KEY)) paths.push(path);
    expect(paths).toEqual(numbered(count));
    expect(reads).toEqual(expected);
  });

  test('are all noted, and the runner catches up with that subscription', async () => {
    const index = new SubscriptionIndex();
    const { calls, runner } = recorder();
    const { store } = await storeOf(2);
    await noteLinks({ index, runner, store }, KEY);
    expect(calls).toEqual([]);
    index.add(CONFIG, []);
    await noteLinks({ index, runner, store }, KEY);
    expect(calls).toEqual(['a/0000', 'a/0001', 'catch up one']);
  });
});
