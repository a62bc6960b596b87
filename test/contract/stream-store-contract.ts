import { afterEach, beforeEach, expect, test } from 'vitest';
import type {
  AppendInput,
  NewStream,
  StreamListPosition,
  StreamListQuery,
  StreamStore,
} from '../../src/streams/index.js';
import { freshStream, hotBytes, keyFor } from '../support/fresh-stream.js';

export interface StartedStore {
  readonly store: StreamStore;
  /** Closes the store and opens it again over the same data. */
  reopen(): Promise<StreamStore>;
  stop(): Promise<void>;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

/** What every engine of the stream store does. `start` returns a store whose chunks are sealed at 16 bytes. */
export function streamStoreContract(start: () => Promise<StartedStore>): void {
  let started: StartedStore;
  let store: StreamStore;
  beforeEach(async () => {
    started = await start();
    store = started.store;
  });
  afterEach(() => started.stop());

  const fresh = (id: string, change: Partial<NewStream> = {}): NewStream =>
    freshStream(id, { createdAt: 1000, openMax: 1000, ...change });

  const input = (data: string | null, change: Partial<AppendInput> = {}): AppendInput => ({
    data: data === null ? null : bytes(data),
    contentType: 'text/plain',
    seq: null,
    producer: null,
    close: false,
    now: 2000,
    bytesMax: 1e9,
    ...change,
  });

  const kindOf = async (id: string, append: AppendInput) => {
    const outcome = await store.append(id, append);
    return outcome.kind === 'refused' ? outcome.why.rule : outcome.kind;
  };

  test('open streams have a limit; closing, deleting and removing make room', async () => {
    const create = async (id: string, closed = false) =>
      (await store.create(fresh(id, { openMax: 3, closed }))).state !== null;
    for (const id of ['a', 'b', 'c']) expect(await create(id)).toBe(true);
    expect([await create('d'), await create('d', true)]).toEqual([false, false]);
    expect([await store.get('d'), await create('a')]).toEqual([undefined, true]);
    const makeRoom = [
      () => store.append('a', input(null, { close: true })),
      () => store.remove(keyFor('b')),
      () => store.remove(keyFor('c')),
    ];
    await store.addFork(keyFor('b'), { ...keyFor('fork'), announcedAt: 0 });
    for (const [index, act] of makeRoom.entries()) {
      await act();
      expect([await create(`new ${index}`), await create('more')]).toEqual([true, false]);
    }
    // A stream that was already subtracted is not subtracted twice.
    await store.remove(keyFor('a'));
    await store.remove(keyFor('b'));
    expect(await create('more')).toBe(false);
    store = await started.reopen();
    expect(await create('more')).toBe(false);
    await store.remove(keyFor('new 0'));
    expect([await create('more', true), await create('last')]).toEqual([true, true]);
  });

  test('an append that must follow a given length is refused if the stream is shorter', async () => {
    await store.create(fresh('a', { data: bytes('abc') }));
    expect(await kindOf('a', input('d', { after: 2 }))).toBe('gap');
    expect(await kindOf('a', input('d', { after: 4 }))).toBe('gap');
    expect(await kindOf('a', input('d', { after: 3 }))).toBe('appended');
    expect(await kindOf('a', input('e', { after: 4 }))).toBe('appended');
    expect(await store.get('a')).toMatchObject({ totalBytes: 5 });
  });

  test('creates once and returns the existing stream', async () => {
    const made = await store.create(fresh('a', { data: bytes('hello'), metadata: '{"x":1}' }));
    expect(made).toMatchObject({
      created: true,
      state: { tail: { chunk: 0, position: 5 }, totalBytes: 5, writeUnits: 1 },
    });
    const again = await store.create(fresh('a', { hash: 'zzzzz', contentType: 'other/type' }));
    expect(again).toMatchObject({
      created: false,
      state: { hash: 'abcde', contentType: 'text/plain', metadata: '{"x":1}' },
    });
    expect(await store.get('a')).toEqual(again.state);
    expect(await store.get('b')).toBeUndefined();
  });

  test('appends and reads back any span, across records', async () => {
    await store.create(fresh('a'));
    for (const part of ['one', 'two', 'three']) expect(await kindOf('a', input(part))).toBe('appended');
    const whole = hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: 11 }));
    expect([text(whole.bytes), whole.ends, whole.corruptAt]).toEqual(['onetwothree', [3, 6, 11], null]);
    const part = hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo: 4, hi: 8 }));
    expect([text(part.bytes), part.ends, part.corruptAt]).toEqual(['woth', [6, 8], null]);
    expect(hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo: 3, hi: 3 })).bytes.length).toBe(0);
    const past = hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo: 8, hi: 20 }));
    expect([text(past.bytes), past.corruptAt]).toEqual(['ree', 11]);
  });

  test('the append that fills a chunk seals it, and it stays readable hot until it is cold', async () => {
    await store.create(fresh('a'));
    await store.append('a', input('0123456789'));
    const outcome = await store.append('a', input('abcdefghij'));
    expect(outcome).toMatchObject({
      kind: 'appended',
      sealed: true,
      from: { chunk: 0, position: 10 },
      state: { tail: { chunk: 1, position: 0 }, totalBytes: 20 },
    });
    await store.append('a', input('next'));
    expect(await store.chunks(keyFor('a'), 0, 9)).toEqual([
      { chunk: 0, start: 0, end: 20, base: 0, cold: false },
    ]);
    expect(await store.unsealed(10)).toEqual([{ stream: keyFor('a'), chunk: 0 }]);
    expect(text(hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: 20 })).bytes)).toBe(
      '0123456789abcdefghij',
    );
    expect(await store.markCold(keyFor('a', 'other'), 0)).toBe(false);
    expect(await store.unsealed(10)).toEqual([{ stream: keyFor('a'), chunk: 0 }]);
    expect(await store.markCold(keyFor('a'), 0)).toBe(true);
    expect(await store.markCold(keyFor('a'), 0)).toBe(true);
    expect(await store.unsealed(10)).toEqual([]);
    expect(await store.chunks(keyFor('a'), 0, 0)).toMatchObject([{ cold: true }]);
    expect(await store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: 20 })).toBe('cold');
    expect(text(hotBytes(await store.readHot(keyFor('a'), { chunk: 1, lo: 0, hi: 4 })).bytes)).toBe('next');
  });

  test('a fork starts inside a chunk and seals only its own part of it', async () => {
    const ancestors = [{ ...keyFor('src'), hash: 'abcde', until: { chunk: 2, position: 7 } }];
    const made = await store.create(
      fresh('f', { start: { chunk: 2, position: 7 }, inheritedBytes: 47, ancestors }),
    );
    expect(made.state).toMatchObject({ tail: { chunk: 2, position: 7 }, totalBytes: 47, ancestors });
    await store.append('f', input('0123456789'));
    expect(await store.chunks(keyFor('f'), 0, 9)).toEqual([
      { chunk: 2, start: 7, end: 17, base: 40, cold: false },
    ]);
  });

  test('closes once, with the last data and its producer', async () => {
    await store.create(fresh('a'));
    const producer = { id: 'p', epoch: 0, seq: 0 };
    expect(await kindOf('a', input('end', { close: true, producer }))).toBe('appended');
    expect(await store.get('a')).toMatchObject({ closed: true, closedBy: producer, totalBytes: 3 });
    expect(await kindOf('a', input('end', { close: true, producer }))).toBe('duplicate');
    expect(await kindOf('a', input('more'))).toBe('closed');
    expect(await kindOf('a', input(null, { close: true }))).toBe('duplicate');
  });

  test.each([
    ['content_type', input('x', { contentType: 'application/json' })],
    ['stream_size', input('x'.repeat(50), { bytesMax: 40 })],
    ['producer_gap', input('x', { producer: { id: 'p', epoch: 0, seq: 3 } })],
    ['missing', input('x')],
  ])('refuses: %s', async (expected, append) => {
    await store.create(fresh('a'));
    expect(await kindOf(expected === 'missing' ? 'other' : 'a', append)).toBe(expected);
    expect(await store.get('a')).toMatchObject({ totalBytes: 0, tail: { chunk: 0, position: 0 } });
  });

  test('keeps producers and sequences separate and in order', async () => {
    await store.create(fresh('a'));
    const p = (id: string, epoch: number, seq: number) => input('x', { producer: { id, epoch, seq } });
    expect(await kindOf('a', p('p', 0, 0))).toBe('appended');
    expect(await kindOf('a', p('p', 0, 0))).toBe('duplicate');
    expect(await kindOf('a', p('p', 0, 2))).toBe('producer_gap');
    expect(await kindOf('a', p('q', 0, 0))).toBe('appended');
    expect(await kindOf('a', p('p', 1, 1))).toBe('epoch_start');
    expect(await kindOf('a', p('p', 1, 0))).toBe('appended');
    expect(await kindOf('a', p('p', 0, 1))).toBe('stale_epoch');
    expect(await kindOf('a', input('x', { seq: '2' }))).toBe('appended');
    expect(await kindOf('a', input('x', { seq: '10' }))).toBe('seq');
  });

  test('concurrent appends run one after another, and none is lost', async () => {
    await store.create(fresh('a'));
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) => store.append('a', input(`${i};`))),
    );
    const froms = outcomes.map((outcome) => (outcome.kind === 'appended' ? outcome.from : undefined));
    expect(new Set(froms.map((from) => JSON.stringify(from))).size).toBe(200);
    expect((await store.get('a'))?.totalBytes).toBe(
      outcomes.reduce((sum, _outcome, i) => sum + `${i};`.length, 0),
    );
  });

  test('a record of several MB is one record, read whole or in part, also after a restart', async () => {
    const long = new Uint8Array(2_500_000).map((_, i) => (i * 31 + (i >> 8)) & 0xff);
    await store.create(fresh('a', { contentType: 'a/b', data: bytes('ab') }));
    await store.append('a', { ...input(null), data: long, contentType: 'a/b' });
    const end = 2 + long.length;
    const read = async (lo: number, hi: number) => {
      const found = hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo, hi }));
      return [found.ends, found.corruptAt, Buffer.compare(found.bytes, long.subarray(lo - 2, hi - 2))];
    };
    for (const again of [async () => store, started.reopen]) {
      store = await again();
      expect(await read(2, end)).toEqual([[end], null, 0]);
      expect(await read(2, 1_000_002)).toEqual([[1_000_002], null, 0]);
      expect(await read(1_999_000, 2_100_000)).toEqual([[2_100_000], null, 0]);
      expect(hotBytes(await store.readHot(keyFor('a'), { chunk: 0, lo: 0, hi: end })).ends).toEqual([2, end]);
      expect(await store.get('a')).toMatchObject({ totalBytes: end, tail: { chunk: 1, position: 0 } });
    }
  });

  test('finds expired streams', async () => {
    await store.create(fresh('ttl', { ttlSeconds: 10 }));
    await store.create(fresh('fixed', { expiresAt: 5000 }));
    await store.create(fresh('for-ever'));
    expect(await store.expired(4999, 10)).toEqual({ ids: [], looked: 0 });
    expect(await store.expired(5000, 10)).toEqual({ ids: ['fixed'], looked: 1 });
    await store.touch(keyFor('ttl'), 3000);
    // A stream in use is checked at its original expiry, and not again before its new one.
    expect(await store.expired(11_000, 10)).toEqual({ ids: ['fixed'], looked: 2 });
    expect(await store.expired(12_999, 10)).toEqual({ ids: ['fixed'], looked: 1 });
    expect(await store.expired(13_000, 10)).toEqual({ ids: ['fixed', 'ttl'], looked: 2 });
    expect(await store.expired(13_000, 1)).toEqual({ ids: ['fixed'], looked: 1 });
    await store.remove(keyFor('fixed'));
    expect(await store.expired(13_000, 10)).toEqual({ ids: ['ttl'], looked: 1 });
    expect(await kindOf('ttl', input('x', { now: 13_000 }))).toBe('expired');
  });

  test('keeps a removed stream for its forks, counts them, and removes every trace with the last', async () => {
    const source = keyFor('src');
    const fork = (id: string) => ({ ...keyFor(id), announcedAt: 7 });
    await store.create(fresh('src', { data: bytes('0123456789abcdef') }));
    await store.markCold(source, 0);
    for (const id of ['f1', 'f1', 'f2']) expect(await store.addFork(source, fork(id))).toBe(true);
    expect(await store.forks(source)).toEqual([fork('f1'), fork('f2')]);
    expect(await store.softDeleted('', 10)).toEqual([]);
    expect(await store.remove(source)).toEqual({ wasDeleted: false, kept: true, cold: [], bytes: 0 });
    expect(await store.get('src')).toMatchObject({ deleted: true });
    expect((await store.softDeleted('', 10)).map(({ id }) => id)).toEqual(['src']);
    expect(await store.softDeleted('src', 10)).toEqual([]);
    expect(await kindOf('src', input('x'))).toBe('deleted');
    expect(await store.addFork(source, fork('late'))).toBe(false);
    expect(await store.removeFork(source, keyFor('f1'))).toBe(1);
    expect(await store.removeFork(source, keyFor('f2', 'another'))).toBe(1);
    expect(await store.removeFork(source, keyFor('f2'))).toBe(0);
    expect(await store.remove(source)).toEqual({ wasDeleted: true, kept: false, cold: [0], bytes: 16 });
    expect(await store.get('src')).toBeUndefined();
    expect(await store.chunks(source, 0, 9)).toEqual([]);
    expect(await store.remove(source)).toBeUndefined();
  });

  test('a late write for an earlier life does not reach the stream that has its id now', async () => {
    const [first, second] = [keyFor('a'), keyFor('a', 'second')];
    const producer = { id: 'p', epoch: 3, seq: 0 };
    await store.create(fresh('a', { data: bytes('0123456789abcdef') }));
    await store.append('a', input('old', { producer }));
    await store.remove(first);
    await store.create(fresh('a', { ...second, data: bytes('new'), ttlSeconds: 60 }));
    const before = await store.get('a');
    expect(await store.readHot(first, { chunk: 0, lo: 0, hi: 3 })).toBe('removed');
    expect(await store.chunks(first, 0, 9)).toEqual([]);
    expect(await store.markCold(first, 0)).toBe(false);
    await store.markCorrupt(first, { chunk: 0, position: 0 });
    await store.touch(first, 9e12);
    expect(await store.addFork(first, { ...keyFor('f'), announcedAt: 0 })).toBe(false);
    expect(await store.append('a', input('late', { life: first.life }))).toEqual({ kind: 'missing' });
    expect(await store.remove(first)).toBeUndefined();
    for (const again of [async () => store, started.reopen]) {
      store = await again();
      expect(await store.get('a')).toEqual(before);
      expect(text(hotBytes(await store.readHot(second, { chunk: 0, lo: 0, hi: 3 })).bytes)).toBe('new');
    }
    expect(await kindOf('a', input('x', { producer: { id: 'p', epoch: 0, seq: 0 } }))).toBe('appended');
    expect(await kindOf('a', input('y', { life: second.life }))).toBe('appended');
  });

  test('damage is marked at its first position, and appends are refused', async () => {
    await store.create(fresh('a', { data: bytes('abc') }));
    const marked = async (position: number) => {
      await store.markCorrupt(keyFor('a'), { chunk: 0, position });
      return (await store.get('a'))?.corruptFrom;
    };
    expect(await marked(2)).toEqual({ chunk: 0, position: 2 });
    expect(await marked(1)).toEqual({ chunk: 0, position: 1 });
    expect(await marked(2)).toEqual({ chunk: 0, position: 1 });
    store = await started.reopen();
    expect((await store.get('a'))?.corruptFrom).toEqual({ chunk: 0, position: 1 });
    expect(await kindOf('a', input('x'))).toBe('corrupt');
  });

  test('records keep their arrival times, clipped to the span, hot and after a restart', async () => {
    await store.create(fresh('t', { data: bytes('abc'), createdAt: 1000 }));
    await store.append('t', input('de', { now: 2000 }));
    await store.append('t', input('fgh', { now: 2500 }));
    const span = { chunk: 0, lo: 1, hi: 7 };
    const wanted = [
      { start: 1, end: 3, at: 1000 },
      { start: 3, end: 5, at: 2000 },
      { start: 5, end: 7, at: 2500 },
    ];
    expect(await store.arrivals(keyFor('t'), span, 10)).toEqual(wanted);
    expect(await store.arrivals(keyFor('t'), span, 2)).toEqual(wanted.slice(0, 2));
    store = await started.reopen();
    expect(await store.arrivals(keyFor('t'), span, 10)).toEqual(wanted);
    expect((await store.get('t'))?.appendedAt).toBe(2500);
    await store.append('t', input('ijklmnopq', { now: 3000 }));
    await store.markCold(keyFor('t'), 0);
    expect(await store.arrivals(keyFor('t'), span, 10)).toBe('cold');
    expect(await store.arrivals(keyFor('t', 'earlier life'), span, 10)).toBe('removed');
  });

  test('a long record has one arrival, however many rows it has', async () => {
    await store.create(fresh('long'));
    await store.append('long', input('x'.repeat(2_500_000), { now: 2000 }));
    const found = await store.arrivals(keyFor('long'), { chunk: 0, lo: 0, hi: 2_500_000 }, 5);
    expect(found).toEqual([{ start: 0, end: 2_500_000, at: 2000 }]);
  });

  test('collections are listed newest first, by state, outcome, prefix, text and id', async () => {
    const outcomeOf = (outcome: string) =>
      JSON.stringify({ tenant: 'a', outcome, upstream_url: `http://up.test/${outcome}`, route: 'chat' });
    const stream = (path: string, createdAt: number) =>
      store.create(fresh(`stream/a/${path}`, { collection: 'stream/a', createdAt }));
    const response = (id: string, createdAt: number, outcome: string) =>
      store.create(
        fresh(`proxy/${id}`, {
          collection: 'proxy/a',
          createdAt,
          closed: true,
          metadata: outcomeOf(outcome),
        }),
      );
    await stream('x/1', 10);
    await stream('x/2', 30);
    await stream('y/1', 20);
    await store.create(fresh('stream/b/x/1', { collection: 'stream/b', createdAt: 40 }));
    await response('r1', 25, 'failed');
    await response('r2', 35, 'completed');
    await store.append('stream/a/y/1', input('end', { close: true }));
    await store.remove(keyFor('stream/a/none'));
    const idsOf = async (query: Partial<StreamListQuery>) => {
      const ids: string[] = [];
      for (let after: StreamListPosition | undefined; ; ) {
        const collections = ['stream/a', 'proxy/a'];
        const page = await store.listPage({ collections, limit: 2, ...query, ...(after && { after }) });
        ids.push(...page.streams.map(({ id }) => id));
        if (!page.next) return ids;
        after = page.next;
      }
    };
    const all = ['proxy/r2', 'stream/a/x/2', 'proxy/r1', 'stream/a/y/1', 'stream/a/x/1'];
    expect(await idsOf({})).toEqual(all);
    expect(await idsOf({ limit: 5 })).toEqual(all);
    expect(await idsOf({ closed: false })).toEqual(['stream/a/x/2', 'stream/a/x/1']);
    expect(await idsOf({ closed: true, collections: ['stream/a'] })).toEqual(['stream/a/y/1']);
    expect(await idsOf({ outcome: 'failed' })).toEqual(['proxy/r1']);
    expect(await idsOf({ idPrefix: 'stream/a/x', limit: 1 })).toEqual(['stream/a/x/1', 'stream/a/x/2']);
    expect(await idsOf({ text: 'up.test/fail' })).toEqual(['proxy/r1']);
    expect(await idsOf({ text: 'y/' })).toEqual(['stream/a/y/1']);
    expect(await idsOf({ id: 'proxy/r2' })).toEqual(['proxy/r2']);
    expect(await idsOf({ id: 'stream/b/x/1' })).toEqual([]);
    expect(await idsOf({ collections: ['stream/b'] })).toEqual(['stream/b/x/1']);
    await store.addFork(keyFor('stream/a/x/2'), { ...keyFor('fork'), announcedAt: 0 });
    await store.remove(keyFor('stream/a/x/2'));
    await store.remove(keyFor('proxy/r1'));
    expect(await idsOf({})).toEqual(['proxy/r2', 'stream/a/y/1', 'stream/a/x/1']);
  });

  test('lists streams in order', async () => {
    for (const id of ['b', 'a', 'c']) await store.create(fresh(id));
    expect((await store.list('', 2)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await store.list('b', 9)).map(({ id }) => id)).toEqual(['c']);
  });

  test('everything is still there after a restart', async () => {
    await store.create(fresh('a', { ttlSeconds: 60, metadata: 'm' }));
    await store.append('a', input('0123456789', { seq: 's1', producer: { id: 'p', epoch: 2, seq: 0 } }));
    await store.append('a', input('abcdefghij'));
    await store.append('a', input('tail', { close: true }));
    const before = await store.get('a');
    store = await started.reopen();
    expect(await store.get('a')).toEqual(before);
    expect(await store.chunks(keyFor('a'), 0, 9)).toHaveLength(1);
    expect(text(hotBytes(await store.readHot(keyFor('a'), { chunk: 1, lo: 0, hi: 4 })).bytes)).toBe('tail');
    expect(await kindOf('a', input('x', { producer: { id: 'p', epoch: 1, seq: 0 } }))).toBe('closed');
  });
}
