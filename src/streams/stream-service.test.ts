import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { keepingLog, type LogLine } from '../../test/support/keeping-log.js';
import { LiveReader } from '../../test/support/live-reader.js';
import { StreamService, type StreamServiceOptions } from './stream-service.js';
import type { StreamKey, StreamStore } from './stream-store.js';
import { ProcessTotals } from './tenant-totals.js';

/** Streams are created and appended to without the service, and used through it. */
let streams: InlineStreams;
let service: StreamService;
let lines: LogLine[];
/** The store's calls with their arguments. */
let calls: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  streams = new InlineStreams({ limits: { sealPauseMs: 3_600_000 } });
  await streams.create('s', 'abc');
  open();
});

afterEach(async () => {
  await service.stop();
  await streams.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
const at = (chunk: number, position: number) => ({ chunk, position });

function open(options: Partial<StreamServiceOptions> = {}): void {
  lines = [];
  calls = [];
  const { objects } = streams.deps;
  const store = new Proxy(streams.deps.store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls.push(`${String(name)} ${args.filter((arg) => typeof arg !== 'object').join()}`);
        return method(...args);
      };
    },
  }) as StreamStore;
  service = new StreamService({
    store,
    objects,
    log: keepingLog(lines),
    clock: () => streams.now,
    ...options,
  });
}

describe('finding streams', () => {
  test('does not return deleted ones', async () => {
    await streams.fork('f', 's');
    expect((await service.find('s'))?.id).toBe('s');
    await service.removeOwn('s');
    expect([await service.find('s'), await service.find('none')]).toEqual([undefined, undefined]);
    await expect(service.removeOwn('s')).rejects.toMatchObject({ code: 'STREAM_GONE' });
  });

  test('lists without expired ones', async () => {
    for (const [name, ttl] of [
      ['a', '10'],
      ['b', '20'],
    ] as const)
      await streams.create(`stream/acme/${name}`, '', { 'stream-ttl': ttl });
    streams.now += 10_000;
    const { streams: listed } = await service.listPage({ collections: ['stream/acme'], limit: 10 });
    expect(listed.map(({ id }) => id)).toEqual(['stream/acme/b']);
    expect((await service.list('', 2)).map(({ id }) => id)).toEqual(['s', 'stream/acme/a']);
    expect((await service.list('s', 9)).map(({ id }) => id)).toEqual(['stream/acme/a', 'stream/acme/b']);
  });

  test('tells offsets that a stream gave out from others', async () => {
    await streams.create('j', '[1,2]', { 'content-type': 'application/json' });
    const state = await streams.state('j');
    expect([await service.gaveOut(state, at(0, 4)), await service.gaveOut(state, at(0, 2))]).toEqual([
      true,
      false,
    ]);
    streams.before('chunks', () => {
      throw new Error('the disk is gone');
    });
    await expect(service.gaveOut(state, at(0, 2))).rejects.toThrow('the disk is gone');
  });

  test('by offset, and by time', async () => {
    expect((await service.locate('s', { offset: '-1', skip: 2 })).from).toEqual(at(0, 2));
    expect((await service.timing('s', { limit: 9, tenant: 't' })).records).toHaveLength(1);
  });
});

describe('limits', () => {
  test('count what was already stored, and have defaults', async () => {
    open({
      storedTotals: new ProcessTotals([
        ['acme', 9],
        ['full', 10],
      ]),
      limits: { storedBytes: 10, liveReaders: 4 },
    });
    expect([await service.whyFull('acme'), await service.whyFull('full')]).toEqual([
      undefined,
      expect.objectContaining({ code: 'QUOTA_EXCEEDED' }),
    ]);
    await streams.create('stream/acme/a');
    const state = await streams.state('stream/acme/a');
    expect(await service.readerShare(state)).toEqual({ tenant: 'acme', max: 4 });
    open({ tenantLimits: async () => ({ liveReaders: 7, storedBytes: 0 }) });
    expect(await service.readerShare(state)).toEqual({ tenant: 'acme', max: 7 });
    expect(await service.whyFull('acme')).toBeDefined();
  });
});

test('changes are reported until their listener leaves', async () => {
  const seen: string[] = [];
  const leave = service.onChanged(({ totalBytes, deleted }) => seen.push(`${totalBytes} ${deleted}`));
  await service.appendMessage('s', 'd');
  await service.removeOwn('s');
  leave();
  await service.create(callOf('t', { headers: { 'content-type': 'text/plain' } }));
  expect(seen).toEqual(['4 false', '4 true']);
});

test('readers can be dropped, and stop with their timers', async () => {
  const follow = async () => {
    const reader = new LiveReader();
    const { body } = await service.read(callOf('s', { query: { live: 'sse', offset: 'now' } }));
    if (body?.kind === 'live') body.start(reader);
    await settle();
    return reader;
  };
  const reader = await follow();
  expect(service.liveReaders).toBe(1);
  service.dropReaders(await streams.state('s'));
  expect([reader.outcome, service.liveReaders]).toEqual(['ended', 0]);
  await follow();
  expect(vi.getTimerCount()).toBe(1);
  await service.stop();
  expect(vi.getTimerCount()).toBe(0);
});

describe('sweeps', () => {
  test('run at their own pace', async () => {
    expect(service.sweeps.map(({ name }) => name)).toEqual(['expired_streams', 'streams_kept_for_forks']);
    service.start();
    await settle();
    calls.length = 0;
    await vi.advanceTimersByTimeAsync(1_999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual([`expired ${streams.now},50`]);
    await vi.advanceTimersByTimeAsync(27_999);
    expect(calls.filter((call) => call.startsWith('softDeleted'))).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.filter((call) => call.startsWith('softDeleted'))).toEqual(['softDeleted ,50']);
    expect(calls.filter((call) => call.startsWith('expired'))).toHaveLength(15);
  });

  test('remove expired streams, and store the last use of others', async () => {
    for (const id of ['a', 'b']) await streams.create(id, '', { 'stream-ttl': '100' });
    streams.now += 4_000;
    await service.read(callOf('b'));
    streams.now += 97_000;
    calls.length = 0;
    await service.sweep();
    expect(await streams.deps.store.get('a')).toBeUndefined();
    expect((await streams.state('b')).accessedAt).toBe(streams.now - 97_000);
    expect(calls.filter((call) => call.startsWith('touch'))).toHaveLength(1);
  });

  test('do not touch what is kept for forks', async () => {
    await streams.create('a', 'x', { 'stream-ttl': '10' });
    await streams.fork('f', 'a', { 'stream-ttl': '1000' });
    streams.now += 10_000;
    await service.sweep();
    expect((await streams.state('a')).deleted).toBe(true);
    expect(calls.filter((call) => call.startsWith('touch'))).toEqual([]);
  });

  test('finish removals that a crash interrupted, in batches', async () => {
    for (let n = 10; n < 61; n++) {
      await streams.create(`d${n}`);
      const state = await streams.state(`d${n}`);
      await streams.deps.store.addFork(state, { id: 'never', life: 'never', announcedAt: 0 });
      await streams.deps.store.remove(state);
    }
    await service.sweep();
    expect((await streams.deps.store.softDeleted('', 99)).map(({ id }) => id)).toEqual(['d60']);
    await service.sweep();
    expect(await streams.deps.store.softDeleted('', 99)).toEqual([]);
    await service.sweep();
    expect(calls.filter((call) => call.startsWith('softDeleted'))).toEqual([
      'softDeleted ,50',
      'softDeleted d59,50',
      'softDeleted d60,50',
    ]);
    await service.sweep();
    expect(calls.filter((call) => call.startsWith('softDeleted')).at(-1)).toBe('softDeleted ,50');
  });

  test('that fail are logged', async () => {
    streams.before('expired', () => {
      throw new Error('the disk is gone');
    });
    await service.sweep();
    expect(lines.map(({ message }) => message)).toEqual(['expired streams were not removed']);
  });
});

describe('damage', () => {
  const spoil = () => streams.database.run('UPDATE chunks SET checksum = checksum + 1', []);

  test('is logged once for each stream that has it, and forgotten with the stream', async () => {
    await streams.fork('f', 's');
    spoil();
    for (let n = 0; n < 2; n++)
      await expect(service.read(callOf('f'))).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    expect([...service.damaged].sort()).toEqual(['f', 's']);
    expect(lines.map(({ message, fields }) => `${message} ${fields['stream']}`).sort()).toEqual([
      'a stream is damaged f',
      'a stream is damaged s',
    ]);
    await service.removeOwn('f');
    expect(service.damaged).toEqual(['s']);
  });

  test('that cannot be recorded is logged', async () => {
    spoil();
    streams.before('markCorrupt', () => {
      throw new Error('the disk is gone');
    });
    await expect(service.read(callOf('s'))).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    expect(lines.map(({ message }) => message)).toContain('the damage could not be recorded');
  });

  test('that was known before reaches forks that a crash left unmarked', async () => {
    await streams.fork('f', 's');
    const state = await streams.state('s');
    await streams.deps.store.markCorrupt(state, at(0, 1));
    open({ damaged: [state, { id: 'none', life: 'none' }] });
    expect(service.damaged).toEqual(['s', 'none']);
    service.resume();
    await settle();
    expect([service.damaged, (await streams.state('f')).corruptFrom]).toEqual([['s', 'none', 'f'], at(0, 1)]);
    open({ damaged: [state] });
    streams.before('get', () => {
      throw new Error('the disk is gone');
    });
    service.resume();
    await settle();
    expect(lines.map(({ message }) => message)).toEqual(['known damage could not be read']);
  });

  test('at the ends of streams is looked for after the start, step by step', async () => {
    const state = await streams.state('s');
    const asked: string[] = [];
    const check = async (after: string, limit: number) => {
      asked.push(`${after} ${limit}`);
      const damaged: StreamKey[] = after === 'a' ? [state] : [];
      if (after === 'a') await streams.deps.store.markCorrupt(state, at(0, 2));
      return { damaged, next: after === 'a' ? 'm' : null };
    };
    open({ unchecked: { after: 'a', check } });
    service.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([asked, service.damaged]).toEqual([['a 100', 'm 100'], ['s']]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked).toHaveLength(2);
  });

  test('is not looked for if no stream is unchecked', async () => {
    const check = () => Promise.reject(new Error('asked'));
    open({ unchecked: { after: null, check } });
    service.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lines).toEqual([]);
  });
});

test('a start seals what an earlier process left; the number of waiting chunks is known', async () => {
  await streams.append('s', 'x'.repeat(100));
  expect(streams.bucket.size).toBe(0);
  service.resume();
  await service.settled();
  expect(streams.bucket.size).toBe(1);
  open({ limits: { sealPauseMs: 1_000 } });
  await service.append(callOf('t', {})).catch(() => undefined);
  await service.create(callOf('t', { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(100) }));
  expect(service.unsealedChunks).toBe(1);
  await service.settled();
  expect([service.unsealedChunks, streams.bucket.size]).toEqual([0, 2]);
});
