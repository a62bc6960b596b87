import { expect, test, vi } from 'vitest';
import {
  bench,
  KEY,
  openBench,
  PULL,
  reply,
  settle,
  silent,
  streamCall,
  useSubscriptions,
} from '../../../test/support/subscription-bench.js';
import { mintCallbackToken } from './callback-token.js';
import type { Noticed, SubscriptionKey } from './subscription-store.js';

useSubscriptions();

/** Records the calls of the subscription store by name. */
function recordCalls(): string[] {
  const calls: string[] = [];
  bench.before = ({ store, method }) => {
    if (store === 'subscriptions') calls.push(method);
  };
  return calls;
}

/** Records how many checks each notice has, for each call of the store. */
function recordNotices(): number[][] {
  const calls: number[][] = [];
  bench.before = ({ method, args }) => {
    if (method === 'notice') calls.push((args[0] as Noticed[]).map(({ checks }) => checks.length));
  };
  return calls;
}

/** Holds every call of the method until `release`. */
function hold(method: string, isHeld: (args: unknown[]) => boolean = () => true) {
  const waiting: (() => void)[] = [];
  bench.before = (call) => {
    if (call.method !== method || !isHeld(call.args)) return;
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    waiting,
    release() {
      bench.before = undefined;
      for (const resume of waiting) resume();
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `n/${n}`);
const changed = (path: string) => bench.service.onStreamChanged(`stream/acme/${path}`);

test('a delivery takes four calls of the store, and a wake that is already known takes none', async () => {
  await bench.subscribe({ lease_ttl_ms: 60_000 });
  const calls = recordCalls();
  await bench.append('a/x');
  expect(calls).toEqual(['notice', 'get', 'newsFirst', 'step']);
  await bench.append('a/x');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toHaveLength(4);
});

test('changed streams are checked 256 at a time', async () => {
  await bench.subscribe({ streams: names(257) });
  const notices = recordNotices();
  for (const path of names(256)) changed(path);
  await bench.service.settled();
  expect(notices).toEqual([[256]]);
  for (const path of names(257)) changed(path);
  await bench.service.settled();
  expect(notices).toEqual([[256], [256], [1]]);
});

test('a stop ends a check of many streams between two steps', async () => {
  await bench.subscribe({ streams: names(257) });
  let notices = 0;
  bench.before = ({ method }) => {
    if (method === 'notice' && notices++ === 0) void bench.service.stop();
  };
  for (const path of names(257)) changed(path);
  await settle();
  expect(notices).toBe(1);
});

test('up to 64 subscriptions share a call of the store, and one read of the stream', async () => {
  for (let n = 0; n < 65; n++) await bench.subscribe({ ...PULL, wake_stream: `w/${n}` }, `s${n}`);
  const [notices, reads] = [[] as number[], [] as unknown[]];
  await bench.append('a/x');
  bench.before = ({ store, method, args }) => {
    if (method === 'notice') notices.push((args[0] as Noticed[]).length);
    else if (store === 'streams') reads.push(args[0]);
  };
  changed('a/y');
  await bench.service.settled();
  expect(notices).toEqual([64, 1]);
  expect(reads).toEqual(['stream/acme/a/y']);
});

test('at most 32 wakes are announced at the same time', async () => {
  for (let n = 0; n < 33; n++) await bench.subscribe({ ...PULL, wake_stream: `w/${n}` }, `s${n}`);
  const { waiting, release } = hold('newsFirst');
  await bench.append('a/x');
  expect(waiting).toHaveLength(32);
  waiting[0]?.();
  await settle();
  expect(waiting).toHaveLength(33);
  release();
  await settle();
});

test('while a subscription is awake, it remembers 256 streams whose changes it knows', async () => {
  await bench.subscribe({ ...PULL, streams: names(257) });
  await bench.append('a/x');
  for (const path of names(255)) changed(path);
  await bench.service.settled();
  const notices = recordNotices();
  for (const path of ['a/x', 'n/254', 'n/255', 'n/255']) {
    changed(path);
    await settle();
  }
  // The first two are known and come with the next check.
  expect(notices).toEqual([[3], [1]]);
});

test('a change without news leaves an idle subscription attentive, and logs nothing', async () => {
  await bench.subscribe({ streams: ['n/0'] });
  changed('n/0');
  await settle();
  expect(bench.delivered).toEqual([]);
  await bench.append('n/0');
  expect(bench.delivered).toHaveLength(1);
  expect(bench.lines).toEqual([]);
});

test('a subscription whose row cannot be written does not delay the others', async () => {
  for (const id of ['bad', 'one', 'two']) await bench.subscribe({}, id);
  bench.before = ({ method, args }) => {
    if (method !== 'notice') return;
    if ((args[0] as Noticed[]).some(({ key }) => key.id === 'bad')) throw new Error('damaged');
  };
  await bench.append('a/x');
  expect(bench.delivered).toHaveLength(2);
  expect(bench.lines).toMatchObject([{ fields: { tenant: 'acme', id: 'bad' } }]);
});

test('a failed check is repeated after one second', async () => {
  await bench.subscribe();
  bench.storeFails = true;
  await bench.append('a/x');
  bench.storeFails = false;
  await vi.advanceTimersByTimeAsync(950);
  expect(bench.delivered).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(bench.delivered).toHaveLength(1);
});

test('a failed check is not repeated for a subscription that was removed in the meantime', async () => {
  await bench.subscribe();
  bench.storeFails = true;
  await bench.append('a/x');
  bench.storeFails = false;
  await bench.service.remove(KEY);
  const calls: string[] = [];
  bench.before = ({ method }) => void calls.push(method);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(calls).toEqual([]);
});

test('a lease that ends while the store fails is ended a second later', async () => {
  await bench.subscribe();
  await bench.append('a/x');
  bench.storeFails = true;
  await vi.advanceTimersByTimeAsync(1_300);
  bench.storeFails = false;
  expect(bench.delivered).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_300);
  expect(bench.last.generation).toBe(2);
});

test('a retry contains what was appended in the meantime', async () => {
  bench.receiver = async () => reply({}, 500);
  await bench.subscribe();
  await bench.append('a/x');
  const offset = await bench.append('a/x');
  await vi.advanceTimersByTimeAsync(1_200);
  expect(bench.delivered).toHaveLength(2);
  expect(bench.last.streams).toMatchObject([{ path: 'a/x', tail_offset: offset }]);
});

test('a wake has one delivery at a time, although its streams change', async () => {
  bench.receiver = silent;
  await bench.append('a/old');
  await bench.subscribe();
  await bench.append('a/x');
  await bench.streams.remove(streamCall('acme', 'a/old', ''));
  await settle();
  expect((await bench.service.view(KEY))['streams']).toMatchObject([{ path: 'a/x' }]);
  expect(bench.delivered).toHaveLength(1);
});

test('a callback during the delivery counts, and its response is ignored', async () => {
  await bench.subscribe({ lease_ttl_ms: 60_000 });
  bench.receiver = async () => {
    await bench.settle('callback', bench.last);
    return reply({}, 500);
  };
  await bench.append('a/x');
  await settle();
  const before = bench.storeCalls;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(bench.storeCalls).toBe(before);
  expect(bench.delivered).toHaveLength(1);
  expect(await bench.service.view(KEY)).toMatchObject({ status: 'active' });
});

test('a settled or removed subscription causes no further calls of the store', async () => {
  bench.receiver = async () => reply({});
  await bench.subscribe();
  const offset = await bench.append('a/x');
  const acks = [{ stream: 'a/x', offset }];
  await bench.settle('callback', bench.last, { acks, done: true });
  await settle();
  const settled = bench.storeCalls;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(bench.storeCalls).toBe(settled);
  await bench.append('a/x');
  await bench.service.remove(KEY);
  const removed = bench.storeCalls;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(bench.storeCalls).toBe(removed);
});

test('removing a subscription during its delivery ends it for good, and its successor is delivered to', async () => {
  bench.receiver = silent;
  await bench.subscribe();
  await bench.append('a/x');
  const removing = bench.service.remove(KEY);
  expect(bench.delivered[0]?.signal.aborted).toBe(true);
  await removing;
  await settle();
  const before = bench.storeCalls;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(bench.storeCalls).toBe(before);
  await bench.subscribe();
  await bench.append('a/x');
  expect(bench.delivered).toHaveLength(2);
});

test('a subscription that is removed while its streams are read is not written to', async () => {
  await bench.subscribe();
  const calls: string[] = [];
  bench.before = async ({ store, method }) => {
    if (store === 'subscriptions') calls.push(method);
    else if (!calls.includes('remove')) await bench.service.remove(KEY);
  };
  changed('a/x');
  await settle();
  expect(calls).toEqual(['remove', 'get']);
});

test('a wake that begins while its subscription is removed causes no further calls of the store', async () => {
  await bench.subscribe();
  const calls = recordCalls();
  bench.after = async ({ method }) => {
    if (method === 'notice') await bench.service.remove(KEY);
  };
  await bench.append('a/x');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toEqual(['notice', 'remove', 'get']);
});

test('a stream that is unlinked while it is read is not linked again', async () => {
  await bench.append('b');
  await bench.subscribe({ streams: ['b'] });
  const notices: unknown[] = [];
  let isUnlinked = false;
  bench.before = async ({ store, method }) => {
    if (method === 'notice') notices.push(method);
    if (store !== 'streams' || isUnlinked) return;
    isUnlinked = true;
    await bench.service.removeStream(KEY, 'b');
  };
  changed('b');
  await settle();
  expect(notices).toEqual([]);
  expect((await bench.service.view(KEY))['streams']).toEqual([]);
});

test('a stream that was removed is not followed by name any more', async () => {
  await bench.append('b');
  await bench.subscribe({ streams: ['b'] });
  await bench.streams.remove(streamCall('acme', 'b', ''));
  await settle();
  expect(bench.service.follows('stream/acme/b')).toBe(false);
  await bench.append('b');
  expect(bench.delivered).toEqual([]);
});

test('the limit of links is logged once, for the first stream beyond it', async () => {
  openBench({ links: 2 });
  await bench.subscribe();
  const logged: number[] = [];
  for (const path of ['a/1', 'a/2', 'a/3', 'a/4']) {
    await bench.append(path);
    logged.push(bench.lines.length);
  }
  expect(logged).toEqual([0, 0, 1, 1]);
  expect(bench.lines).toMatchObject([{ fields: { subscription: 'one', max: 2 } }]);
});

test('a view of one subscription does not wait for another', async () => {
  await bench.subscribe({ pattern: 'b/*' }, 'two');
  await bench.subscribe();
  const isTwo = (args: unknown[]) => (args[0] as Noticed[]).some(({ key }) => key.id === 'two');
  const { release } = hold('notice', isTwo);
  changed('b/x');
  await settle();
  let isViewed = false;
  const viewing = bench.service.view(KEY).then(() => {
    isViewed = true;
  });
  await settle();
  expect(isViewed).toBe(true);
  release();
  await viewing;
});

test.each([
  ['no news', [], []],
  ['news', ['a/x'], [2]],
])(
  'a wake that is settled while its delivery waits is not delivered; %s after it',
  async (_name, more, expected) => {
    openBench({ deliveries: 1 });
    bench.receiver = silent;
    await bench.subscribe({ pattern: 'b/*' }, 'blocker');
    await bench.subscribe();
    await bench.append('b/x');
    const offset = await bench.append('a/x');
    const sql = "SELECT wake_id, nonce FROM subscriptions WHERE subscription_id = 'one'";
    const [{ wake_id, nonce } = {}] = bench.database.all(sql, []);
    const token = mintCallbackToken(new Uint8Array(32).fill(1), { ...KEY, nonce: String(nonce) }, 1);
    const wake = { wake_id: String(wake_id), generation: 1, token };
    await bench.settle('callback', wake, { acks: [{ stream: 'a/x', offset }], done: true });
    for (const path of more) await bench.append(path);
    expect(bench.delivered).toHaveLength(1);
    bench.receiver = async () => reply({});
    await bench.service.remove({ tenant: 'acme', id: 'blocker' });
    await settle();
    expect(bench.delivered.slice(1).map(({ body }) => body.generation)).toEqual(expected);
    expect(bench.lines.map(({ fields }) => fields['subscription'])).toEqual(['blocker']);
  },
);

test('a stop delivers nothing that waits, and waits for the calls that are in progress', async () => {
  openBench({ deliveries: 1 });
  bench.receiver = silent;
  const keys: SubscriptionKey[] = ['one', 'two'].map((id) => ({ tenant: 'acme', id }));
  for (const { id } of keys) await bench.subscribe({}, id);
  await bench.append('a/x');
  const { release } = hold('get');
  let isStopped = false;
  const stopping = bench.service.stop().then(() => {
    isStopped = true;
  });
  await settle();
  expect(isStopped).toBe(false);
  release();
  await stopping;
  await settle();
  expect(bench.delivered).toHaveLength(1);
});

test('a check that fails during a stop leaves no timer', async () => {
  await bench.subscribe();
  const { waiting } = hold('notice');
  await bench.append('a/x');
  const stopping = bench.service.stop();
  bench.before = undefined;
  bench.after = () => {
    throw new Error('the store is closed');
  };
  for (const resume of waiting) resume();
  await stopping;
  bench.after = undefined;
  expect(vi.getTimerCount()).toBe(0);
});
