import { expect, test, vi } from 'vitest';
import {
  bench,
  coded,
  KEY,
  openBench,
  PULL,
  settle,
  streamCall,
  useSubscriptions,
} from '../../../test/support/subscription-bench.js';

useSubscriptions();

const linkedPaths = () =>
  bench.database.all('SELECT path FROM subscription_links ORDER BY path', []).map(({ path }) => path);

/** Runs `act` once, before the named call of the subscription store. */
function onceBefore(method: string, act: () => Promise<unknown>): void {
  bench.before = async (call) => {
    if (call.store !== 'subscriptions' || call.method !== method) return;
    bench.before = undefined;
    await act();
  };
}

test('repeating a create returns the subscription, and of two at once only one creates it', async () => {
  const both = await Promise.all([bench.subscribe(), bench.subscribe()]);
  expect(both.map(({ created }) => created).toSorted()).toEqual([false, true]);
  onceBefore('create', () => bench.subscribe({ pattern: 'x/*' }, 'two'));
  await expect(bench.subscribe({ pattern: 'y/*' }, 'two')).rejects.toEqual(
    coded('SUBSCRIPTION_ALREADY_EXISTS'),
  );
  expect(bench.service.follows('stream/acme/x/1')).toBe(true);
  expect(bench.service.follows('stream/acme/y/1')).toBe(false);
  expect(bench.database.all('SELECT nonce FROM subscriptions', [])).toEqual([
    { nonce: expect.stringMatching(/^[\w-]{16}$/) },
    { nonce: expect.stringMatching(/^[\w-]{16}$/) },
  ]);
});

test('the subscription and the streams that it names must fit into the index exactly', async () => {
  openBench({ indexEntries: 3 });
  const three = expect.objectContaining({ code: 'TOO_MANY_SUBSCRIPTIONS', details: { max: 3 } });
  await expect(bench.subscribe({ streams: ['x', 'y', 'z'] })).rejects.toEqual(three);
  expect((await bench.subscribe({ streams: ['x', 'y'] })).created).toBe(true);
  await expect(bench.subscribe({}, 'two')).rejects.toEqual(three);
});

test('the limits of a tenant take precedence over those of the server', async () => {
  bench.tenantLimits = async () => ({ subscriptions: 1, subscriptionEntries: 2 });
  await bench.restart();
  await expect(bench.subscribe({ streams: ['x', 'y'] })).rejects.toMatchObject({ details: { max: 2 } });
  await bench.subscribe();
  await expect(bench.subscribe({}, 'two')).rejects.toMatchObject({
    code: 'TOO_MANY_SUBSCRIPTIONS',
    message: 'a tenant can have at most 1 subscriptions',
  });
});

test('a refused URL is named with its rule, and a pull-wake needs none', async () => {
  await expect(bench.subscribe({ webhook: { url: 'https://refused.test/' } })).rejects.toMatchObject({
    code: 'WEBHOOK_URL_REJECTED',
    message: 'webhook.url: refused',
    details: { rule: 'test' },
  });
  expect((await bench.subscribe({ ...PULL, webhook: undefined })).created).toBe(true);
});

test.each([
  ['all at once', 9, ['a/0', 'a/1', 'a/2'], undefined],
  ['all at once if they just fit', 3, ['a/0', 'a/1', 'a/2'], undefined],
  ['all but one', 2, ['a/0', 'a/1'], { linked: 2, total: 3 }],
  ['the first', 1, ['a/0'], { linked: 1, total: 3 }],
])('links are written with the create: %s', async (_name, linksAtOnce, paths, linking) => {
  openBench({ linksAtOnce });
  for (let n = 0; n < 3; n++) await bench.append(`a/${n}`);
  const { view } = await bench.subscribe();
  expect(linkedPaths()).toEqual(paths);
  expect(view['linking']).toEqual(linking);
  await vi.advanceTimersByTimeAsync(100);
  expect(linkedPaths()).toEqual(['a/0', 'a/1', 'a/2']);
  expect(await bench.service.view(KEY)).not.toHaveProperty('linking');
  expect(bench.delivered).toEqual([]);
});

test.each([9, 1])('an append during the create is not missed, with %d links at once', async (linksAtOnce) => {
  openBench({ linksAtOnce });
  await bench.append('a/0');
  await bench.append('a/1');
  onceBefore('create', () => bench.append('a/1'));
  await bench.subscribe();
  await vi.advanceTimersByTimeAsync(100);
  expect(bench.delivered).toHaveLength(1);
  expect(bench.last.streams.filter((stream) => stream.has_pending)).toMatchObject([{ path: 'a/1' }]);
});

test('a view contains every append from before it', async () => {
  await bench.subscribe(PULL);
  await bench.streams.create(streamCall('acme', 'a/x', '{}'));
  expect((await bench.service.view(KEY))['streams']).toMatchObject([{ path: 'a/x' }]);
  await bench.streams.create(streamCall('acme', 'a/y', '{}'));
  const { view } = await bench.subscribe(PULL);
  expect(view['streams']).toMatchObject([{ path: 'a/x' }, { path: 'a/y' }]);
  await settle();
});
