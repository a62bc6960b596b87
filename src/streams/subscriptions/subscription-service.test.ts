import { expect, test, vi } from 'vitest';
import {
  bench,
  bytes,
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
import { SondeError } from '../../errors.js';

useSubscriptions();

test('an append without followers costs no store access', async () => {
  await bench.subscribe();
  await settle();
  const before = bench.storeCalls;
  await bench.append('b/c');
  await bench.append('a/x', '{}', 'umbrella');
  expect(bench.storeCalls).toBe(before);
  expect(bench.delivered).toEqual([]);
});

test('existing data counts as acknowledged; appends of one turn are one wake', async () => {
  await bench.append('a/old');
  await bench.subscribe();
  await settle();
  expect(bench.delivered).toEqual([]);
  const call = streamCall('acme', 'a/old', '{}');
  await Promise.all([bench.streams.append(call), bench.streams.append(call)]);
  await settle();
  expect(bench.delivered).toHaveLength(1);
  expect(bench.last.streams).toMatchObject([{ path: 'a/old', has_pending: true }]);
});

test('a webhook that responds with done is called again only for newer appends', async () => {
  await bench.subscribe();
  bench.receiver = async () => {
    bench.receiver = async () => reply({ done: true });
    await bench.append('a/y');
    return reply({ done: true });
  };
  await bench.append('a/x');
  await settle();
  expect(bench.delivered.map(({ body }) => body.generation)).toEqual([1, 2]);
  expect(bench.last.streams.filter((stream) => stream.has_pending)).toMatchObject([{ path: 'a/y' }]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(bench.delivered).toHaveLength(2);
});

test('retries back off and keep their wake id, and a success ends the failure', async () => {
  bench.receiver = async () => reply({}, 500);
  await bench.subscribe();
  await bench.append('a/x');
  const counts: number[] = [];
  for (const seconds of [0.9, 0.3, 1.7, 0.4, 3.6, 0.5, 3.6]) {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    counts.push(bench.delivered.length);
  }
  expect(counts).toEqual([1, 2, 2, 3, 3, 4, 4]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(bench.delivered.length).toBeGreaterThan(8);
  expect(new Set(bench.delivered.map(({ body }) => body.wake_id)).size).toBe(1);
  expect(await bench.service.view(KEY)).toMatchObject({ status: 'failed' });
  bench.receiver = async () => reply({ done: true });
  await vi.advanceTimersByTimeAsync(900_000);
  expect(bench.last.generation).toBe(1);
  expect(await bench.service.view(KEY)).toMatchObject({ status: 'active' });
});

test('retries after a refused connection', async () => {
  bench.receiver = () => Promise.reject(new SondeError('connect_error', 'refused'));
  await bench.subscribe();
  await bench.append('a/x');
  bench.receiver = async () => reply({ done: true });
  await vi.advanceTimersByTimeAsync(1_200);
  expect(bench.delivered).toHaveLength(2);
  expect(bench.lines).toContainEqual(
    expect.objectContaining({ fields: expect.objectContaining({ why: 'connect_error', attempt: 1 }) }),
  );
});

test('no wake is lost while the store fails, during an append or after a delivery', async () => {
  await bench.subscribe({ lease_ttl_ms: 60_000 });
  bench.storeFails = true;
  await bench.append('a/x');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(bench.delivered).toEqual([]);
  bench.storeFails = false;
  bench.receiver = async () => {
    bench.storeFails = true;
    return reply({ done: true });
  };
  await vi.advanceTimersByTimeAsync(1_200);
  expect(bench.delivered).toHaveLength(1);
  bench.storeFails = false;
  bench.receiver = async () => reply({ done: true });
  await vi.advanceTimersByTimeAsync(1_200);
  expect(bench.delivered.map(({ body }) => body.generation)).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(bench.delivered).toHaveLength(2);
});

test('an expired lease causes a new wake and fences off the old holder', async () => {
  await bench.subscribe();
  await bench.append('a/x');
  const first = bench.last;
  await vi.advanceTimersByTimeAsync(900);
  expect(await bench.settle('callback', first)).toEqual({ ok: true, next_wake: false });
  await vi.advanceTimersByTimeAsync(900);
  expect(bench.delivered).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(bench.last.generation).toBe(2);
  await expect(bench.settle('callback', first, { done: true })).rejects.toThrow(coded('FENCED'));
  const acks = [{ stream: 'a/x', offset: bench.last.streams[0]?.tail_offset }];
  expect(await bench.settle('callback', bench.last, { acks, done: true })).toEqual({
    ok: true,
    next_wake: false,
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(bench.delivered).toHaveLength(2);
});

test('a stop interrupts a delivery, and the next start repeats it under the same id', async () => {
  bench.receiver = silent;
  await bench.subscribe();
  await bench.append('a/x');
  const { wake_id: wakeId, callback_token: token } = bench.last;
  await bench.restart();
  expect(bench.delivered).toHaveLength(2);
  expect(bench.last).toMatchObject({ wake_id: wakeId, callback_token: token, generation: 1 });
});

test('a start finds appends, new streams and removals that a crash left unnoted', async () => {
  await bench.append('a/old');
  await bench.append('a/gone');
  await bench.subscribe();
  await settle();
  bench.detach();
  await bench.append('a/old');
  await bench.append('a/new');
  await bench.streams.remove(streamCall('acme', 'a/gone', ''));
  await bench.restart();
  await vi.waitFor(() => expect(bench.delivered).toHaveLength(1), { timeout: 20_000 });
  const links = (await bench.service.view(KEY))['streams'] as { path: string }[];
  expect(links.map(({ path }) => path)).toEqual(['a/new', 'a/old']);
});

test('removing a subscription deletes its rows and aborts its delivery; removing a stream unlinks it', async () => {
  bench.receiver = silent;
  await bench.subscribe({ streams: ['b'] });
  await bench.append('a/x');
  await bench.append('b');
  await bench.streams.remove(streamCall('acme', 'b', ''));
  await settle();
  expect((await bench.service.view(KEY))['streams']).toMatchObject([{ path: 'a/x' }]);
  await bench.service.remove(KEY);
  await bench.service.remove(KEY);
  expect(bench.delivered[0]?.signal.aborted).toBe(true);
  expect(bench.database.all('SELECT * FROM subscriptions', [])).toEqual([]);
  expect(bench.database.all('SELECT * FROM subscription_links', [])).toEqual([]);
  await expect(bench.service.view(KEY)).rejects.toThrow(coded('SUBSCRIPTION_NOT_FOUND'));
  await bench.subscribe();
  await expect(bench.settle('callback', bench.last)).rejects.toThrow(coded('TOKEN_INVALID'));
});

test('limits concurrent deliveries, in total and per tenant', async () => {
  openBench({ deliveries: 3, deliveriesPerTenant: 2 });
  const ends: (() => void)[] = [];
  bench.receiver = () => new Promise((resolve) => ends.push(() => resolve(reply({ done: true }))));
  for (const id of ['1', '2', '3']) await bench.subscribe({}, id);
  for (const id of ['1', '2']) await bench.subscribe({}, id, 'umbrella');
  await bench.append('a/x');
  await bench.append('a/x', '{}', 'umbrella');
  expect(bench.delivered).toHaveLength(3);
  for (let left = 5; left > 0; left--) {
    ends.shift()?.();
    await settle();
  }
  expect(bench.delivered).toHaveLength(5);
});

test('enforces the limits on subscriptions, index entries and links, and refuses blocked URLs', async () => {
  openBench({ perTenant: 1, indexEntries: 3, links: 2 });
  await expect(bench.subscribe({ webhook: { url: 'https://refused.test/' } })).rejects.toThrow(
    coded('WEBHOOK_URL_REJECTED'),
  );
  for (const path of ['a/1', 'a/2', 'a/3']) await bench.append(path);
  await expect(bench.subscribe()).rejects.toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
  expect((await bench.subscribe({ pattern: 'b/*' })).created).toBe(true);
  expect((await bench.subscribe({ pattern: 'b/*' })).created).toBe(false);
  await expect(bench.subscribe({ pattern: 'c/*' })).rejects.toThrow(coded('SUBSCRIPTION_ALREADY_EXISTS'));
  await expect(bench.subscribe({ pattern: 'b/*' }, 'two')).rejects.toThrow(coded('TOO_MANY_SUBSCRIPTIONS'));
  await expect(bench.subscribe({ streams: ['x', 'y', 'z'] }, 'two', 'umbrella')).rejects.toThrow(
    coded('TOO_MANY_SUBSCRIPTIONS'),
  );
  for (const path of ['b/1', 'b/2', 'b/3', 'b/4']) await bench.append(path);
  const overflow = bench.lines.filter(({ fields }) => fields['code'] === 'SUBSCRIPTION_TOO_LARGE');
  expect(overflow).toHaveLength(1);
  expect((await bench.service.view(KEY))['streams']).toHaveLength(2);
});

test("a receiver's URL is stored sealed, shown redacted and called unchanged", async () => {
  const url = 'https://example.com/hook?token=s3cr3t-of-the-receiver';
  const created = await bench.subscribe({ webhook: { url } });
  expect(JSON.stringify([created, await bench.service.view(KEY)])).not.toContain('s3cr3t');
  expect(created.view).toMatchObject({
    webhook: { url: expect.stringContaining('https://example.com/hook') },
  });
  expect(JSON.stringify(bench.database.all('SELECT * FROM subscriptions', []))).not.toMatch(/example|s3cr3t/);
  await bench.append('a/x');
  await settle();
  expect(bench.delivered.map((call) => call.url)).toEqual([url]);
  expect((await bench.subscribe({ webhook: { url } })).created).toBe(false);
  await expect(bench.subscribe({ webhook: { url: `${url}2` } })).rejects.toEqual(
    coded('SUBSCRIPTION_ALREADY_EXISTS'),
  );
  expect(JSON.stringify(bench.lines)).not.toContain('s3cr3t');
});

test('without its key a receiver is not called, and the reason is logged', async () => {
  await bench.subscribe();
  bench.boxSecret = 'another-secret';
  await bench.restart();
  await bench.append('a/x');
  await settle();
  expect(bench.delivered).toEqual([]);
  expect(bench.lines.map(({ fields }) => fields['why'])).toContain('its URL was encrypted with another key');
  expect(await bench.service.view(KEY)).toMatchObject({ webhook: { url: null } });
});

test('many subscriptions to one stream cost one store call, and none while the change is already noted', async () => {
  for (let n = 0; n < 50; n++) await bench.subscribe({ ...PULL, wake_stream: `w/${n}` }, `s${n}`);
  await bench.append('a/x');
  await settle();
  const before = bench.storeCalls;
  await bench.append('a/y');
  expect(bench.storeCalls - before).toBe(1);
  await bench.append('a/x');
  await bench.append('a/y');
  expect(bench.storeCalls - before).toBe(1);
});

test('the cost of a create does not depend on other subscriptions', async () => {
  for (let n = 0; n < 20; n++) await bench.append(`a/${n}`);
  const cost = async (id: string) => {
    const before = bench.storeCalls;
    await bench.subscribe({}, id);
    await settle();
    return bench.storeCalls - before;
  };
  const first = await cost('s0');
  for (let n = 1; n < 10; n++) await cost(`s${n}`);
  expect(await cost('last')).toBe(first);
});

test('links beyond the limit follow in the background, and existing data counts as acknowledged', async () => {
  openBench({ linksAtOnce: 2 });
  for (let n = 0; n < 5; n++) await bench.append(`a/${n}`);
  const { view } = await bench.subscribe();
  expect(view).toMatchObject({ linking: { linked: 2, total: 5 } });
  // Not linked yet, so it is linked before the others.
  await bench.append('a/4');
  await vi.advanceTimersByTimeAsync(100);
  await settle();
  const linked = await bench.service.view(KEY);
  expect(linked).not.toHaveProperty('linking');
  expect(linked['streams']).toHaveLength(5);
  expect(bench.delivered).toHaveLength(1);
  const { streams } = bench.last;
  expect(streams.filter((stream) => stream.has_pending)).toMatchObject([{ path: 'a/4' }]);
  expect(streams.find(({ path }) => path === 'a/4')?.acked_offset).not.toBe('-1');
});

const phases = () =>
  bench.database
    .all('SELECT phase FROM subscriptions ORDER BY subscription_id', [])
    .map(({ phase }) => phase);
const add = (...streams: string[]) => bench.service.addStreams(KEY, bytes({ streams }));

test('streams are added by name, within the limits, and followed from their current end', async () => {
  openBench({ indexEntries: 4, links: 3 });
  await expect(add('b')).rejects.toEqual(coded('SUBSCRIPTION_NOT_FOUND'));
  await bench.append('b');
  await bench.append('a/x');
  await bench.subscribe();
  await add('b');
  await settle();
  expect(bench.delivered).toEqual([]);
  expect(bench.service.follows('stream/acme/b')).toBe(true);
  await expect(add('c', 'd', 'e')).rejects.toEqual(coded('TOO_MANY_SUBSCRIPTIONS'));
  await expect(add('c', 'd')).rejects.toEqual(coded('SUBSCRIPTION_TOO_LARGE'));
  expect(bench.service.follows('stream/acme/c')).toBe(false);
  await add('c');
  await bench.append('b');
  expect(bench.last.streams.filter((stream) => stream.has_pending)).toMatchObject([{ path: 'b' }]);
});

test('an append while its stream is being added is not missed, and a removal is no error', async () => {
  await bench.append('b');
  await bench.subscribe();
  const once = (act: () => Promise<unknown>): typeof bench.before => {
    return async ({ method }) => {
      if (method !== 'link') return;
      [bench.before, bench.after] = [undefined, undefined];
      await act();
    };
  };
  bench.before = once(() => bench.append('b'));
  await add('b');
  await settle();
  expect(bench.delivered).toHaveLength(1);
  bench.after = once(() => bench.service.remove(KEY));
  await add('c');
  expect(bench.service.follows('stream/acme/c')).toBe(false);
});

test('a stream that is removed by name stays if the pattern matches it', async () => {
  await expect(bench.service.removeStream(KEY, 'b')).rejects.toEqual(coded('SUBSCRIPTION_NOT_FOUND'));
  for (const path of ['a/x', 'b']) await bench.append(path);
  await bench.subscribe({ streams: ['a/x', 'b'] });
  for (const path of ['a/x', '/b/']) await bench.service.removeStream(KEY, path);
  expect((await bench.service.view(KEY))['streams']).toMatchObject([{ path: 'a/x', link_type: 'glob' }]);
  expect(['a/x', 'b', 'c'].map((path) => bench.service.follows(`stream/acme/${path}`))).toEqual([
    true,
    false,
    false,
  ]);
});

test('changes of streams without a path are ignored', async () => {
  await bench.subscribe({ pattern: '**' });
  const before = bench.storeCalls;
  bench.service.onStreamChanged('proxy/acme/x');
  await settle();
  expect(bench.storeCalls).toBe(before);
  expect(bench.service.follows('proxy/acme/x')).toBe(false);
});

test('a removal takes effect at once, and leaves what was created in the meantime', async () => {
  await bench.subscribe();
  const removing = bench.service.remove(KEY);
  expect(bench.service.follows('stream/acme/a/x')).toBe(false);
  await removing;
  await bench.subscribe();
  bench.after = async ({ method }) => {
    if (method !== 'remove') return;
    bench.after = undefined;
    await bench.subscribe();
  };
  await bench.service.remove(KEY);
  expect(bench.service.follows('stream/acme/a/x')).toBe(true);
});

test('a subscription that is removed while it is created is not followed', async () => {
  let removing: Promise<void> | undefined;
  const created = new Promise<void>((resolve) => {
    bench.after = ({ method }) => {
      if (method === 'create') removing = bench.service.remove(KEY);
      return method === 'remove' ? created : undefined;
    };
    void bench.subscribe().finally(resolve);
  });
  await created;
  await removing;
  expect(bench.database.all('SELECT * FROM subscriptions', [])).toEqual([]);
  expect(bench.service.follows('stream/acme/a/x')).toBe(false);
});

test('what has changed is in the store once the service is settled', async () => {
  await bench.subscribe({ ...PULL, pattern: undefined, streams: ['b'] });
  bench.detach();
  await bench.streams.create(streamCall('acme', 'b', '{}'));
  await bench.service.settled();
  expect(phases()).toEqual(['idle']);
  bench.service.onStreamChanged('stream/acme/b');
  await bench.service.settled();
  expect(phases()).toEqual(['woken']);
});
