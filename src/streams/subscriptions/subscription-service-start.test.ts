import { expect, test, vi } from 'vitest';
import {
  bench,
  coded,
  KEY,
  openBench,
  PULL,
  reply,
  settle,
  silent,
  streamCall,
  useSubscriptions,
} from '../../../test/support/subscription-bench.js';

useSubscriptions();

test('streams that are followed by name are followed after a start, and missed appends are found', async () => {
  await bench.subscribe({ pattern: undefined, streams: ['b'] });
  bench.detach();
  await bench.append('b');
  await bench.restart();
  expect(bench.delivered).toHaveLength(1);
  await bench.service.settled();
  bench.receiver = async () => reply({ done: true });
  await vi.advanceTimersByTimeAsync(1_200);
  await bench.append('b');
  expect(bench.delivered).toHaveLength(3);
});

test('streams that a pattern matches take no room in the index after a start', async () => {
  openBench({ indexEntries: 3 });
  for (const path of ['a/1', 'a/2', 'a/3']) await bench.append(path);
  await bench.subscribe({ streams: ['b'] });
  await bench.restart();
  expect((await bench.subscribe({}, 'two')).created).toBe(true);
  await expect(bench.subscribe({}, 'three')).rejects.toEqual(coded('TOO_MANY_SUBSCRIPTIONS'));
});

test('a webhook that an earlier version gave up is called again after a start', async () => {
  bench.receiver = async () => reply({}, 500);
  await bench.subscribe();
  await bench.append('a/x');
  expect(bench.delivered).toHaveLength(1);
  await bench.service.stop();
  bench.database.run(
    "UPDATE subscriptions SET phase = 'idle', wake_id = NULL, attempts = NULL, due_at = NULL",
    [],
  );
  await bench.restart();
  expect(bench.delivered[1]?.body.generation).toBe(2);
});

test('a receiver that was down for two days hears of the stream within the longest interval', async () => {
  bench.receiver = async () => reply({}, 500);
  await bench.subscribe();
  await bench.append('a/x');
  await vi.advanceTimersByTimeAsync(2 * 86_400_000);
  const attempts = bench.delivered.length;
  // At least one for each interval, and not more than its jitter allows.
  expect(attempts).toBeGreaterThan((2 * 86_400) / 900);
  expect(attempts).toBeLessThan((6 * 86_400) / 900);
  expect(bench.service.deliveries).toEqual({ delivered: 0, failed: attempts, failing: 1 });
  expect(await bench.service.view({ tenant: 'acme', id: 'one' })).toMatchObject({
    status: 'failed',
    retry: { attempts, next_at: expect.any(String) },
  });
  bench.receiver = async () => reply({ done: true });
  await vi.advanceTimersByTimeAsync(900_000);
  expect(bench.delivered).toHaveLength(attempts + 1);
  expect(bench.service.deliveries).toEqual({ delivered: 1, failed: attempts, failing: 0 });
});

test('a wake is delivered no sooner than it is due', async () => {
  bench.receiver = async () => reply({}, 500);
  await bench.subscribe();
  await bench.append('a/x');
  await vi.advanceTimersByTimeAsync(998);
  await bench.restart();
  expect(bench.delivered).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(bench.delivered).toHaveLength(2);
});

test('due wakes and ended leases are acted upon even if the missed changes cannot be found', async () => {
  await bench.subscribe({}, 'leased');
  await bench.append('a/x');
  bench.receiver = silent;
  await bench.subscribe({ pattern: 'b/*' }, 'woken');
  await bench.append('b/x');
  expect(bench.delivered).toHaveLength(2);
  bench.receiver = async () => reply({});
  vi.setSystemTime(Date.now() + 60_000);
  let reads = 0;
  bench.before = ({ method }) => {
    // The first two build the index.
    if (method === 'links' && ++reads > 2) throw new Error('the store fails');
  };
  bench.detach();
  await bench.restart();
  expect(
    bench.delivered
      .slice(2)
      .map(({ body }) => body.generation)
      .toSorted(),
  ).toEqual([1, 2]);
  const failed = bench.lines.filter(({ message }) => message.includes('could not be brought up to date'));
  expect(failed).toHaveLength(2);
});

test('subscriptions are listed in pages of 500', async () => {
  await bench.subscribe({ ...PULL, pattern: 's0' }, 's0');
  bench.database.run(
    `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500)
     INSERT INTO subscriptions SELECT tenant, printf('s0%04d', n), mode, printf('s%d', n), webhook_sealed,
       wake_stream, lease_ms, description, created_at, nonce, base_url, config_hash, phase, generation, failing,
       wake_id, attempts, due_at, holder FROM subscriptions, n`,
    [],
  );
  const pages: unknown[] = [];
  bench.before = ({ store, method, args }) => {
    if (store === 'subscriptions' && method === 'list') pages.push(args);
  };
  await bench.restart();
  expect(pages).toEqual([
    [null, 500],
    [{ tenant: 'acme', id: 's00499' }, 500],
  ]);
  expect(['s0', 's499', 's500', 's501'].map((path) => bench.service.follows(`stream/acme/${path}`))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a stop ends the search for missed changes between two subscriptions, and waits for it', async () => {
  for (const id of ['one', 'two']) await bench.subscribe({}, id);
  let reads = 0;
  let release = () => {};
  bench.before = ({ method }) => {
    // The first two build the index.
    if (method !== 'links' || ++reads <= 2) return;
    return new Promise<void>((_resolve, reject) => {
      release = () => reject(new Error('the store is closed'));
    });
  };
  await bench.restart();
  let isStopped = false;
  const stopping = bench.service.stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect(isStopped).toBe(false);
  release();
  await stopping;
  expect(reads).toBe(3);
  expect(bench.lines).toEqual([]);
});

test('all changes that a crash left unnoted are in the store once the service is settled', async () => {
  await bench.subscribe(PULL);
  bench.detach();
  await bench.streams.create(streamCall('acme', 'a/x', '{}'));
  await bench.service.stop();
  await bench.restart();
  await bench.service.settled();
  expect((await bench.service.view(KEY))['streams']).toMatchObject([{ path: 'a/x' }]);
});
