import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { createOwn, createStream } from './create-stream.js';

const HOUR = 3_600_000;
const JSON_TYPE = { 'content-type': 'application/json' };
let streams: InlineStreams;
let asked: (string | undefined)[];

beforeEach(() => {
  asked = [];
  streams = new InlineStreams({
    limits: { openStreams: 3, sealPauseMs: HOUR, storedBytes: 500 },
    tenantLimits: async (tenant) => {
      asked.push(tenant);
      return tenant === 'small' ? { openStreams: 1 } : {};
    },
  });
});
afterEach(() => streams.close());

const hashOf = (offset = '') => offset.split(':')[0] ?? '';

describe('a new stream', () => {
  test('has its type, offset and location in the response', async () => {
    const { status, headers } = await streams.create('s', 'abc', { 'content-type': 'text/html; a=b' });
    expect([status, headers]).toEqual([
      201,
      {
        'Content-Type': 'text/html; a=b',
        'Stream-Next-Offset': expect.stringMatching(/^[0-9a-z]{5}:00000000:0000000003$/),
        Location: 'http://test/s',
      },
    ]);
    expect(await streams.state('s')).toMatchObject({
      createdAt: streams.now,
      totalBytes: 3,
      writeUnits: 1,
      closed: false,
      ttlSeconds: null,
      expiresAt: null,
      ancestors: [],
      metadata: null,
    });
    expect(streams.changed.map(({ id }) => id)).toEqual(['s']);
  });

  test('can be created closed', async () => {
    const { headers } = await streams.create('s', 'abc', { 'stream-closed': 'TRUE' });
    expect([headers['Stream-Closed'], (await streams.state('s')).closed]).toEqual(['true', true]);
  });

  test.each([
    ['text/plain', ''],
    ['application/json', ''],
    ['application/json', '[]'],
  ])('of type %s with the body %j has no record', async (type, body) => {
    await streams.create('s', body, { 'content-type': type });
    expect(await streams.state('s')).toMatchObject({ totalBytes: 0, writeUnits: 0, appendedAt: null });
  });

  test('stores JSON as messages', async () => {
    await streams.create('s', '[1,2]', JSON_TYPE);
    expect((await streams.state('s')).totalBytes).toBe(4);
    await expect(streams.create('t', '[1', JSON_TYPE)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('has the default type if none is given', async () => {
    await createStream(streams.deps, callOf('s'));
    expect((await streams.state('s')).contentType).toBe('application/octet-stream');
  });

  test('has a random hash of five characters', async () => {
    const roomy = new InlineStreams();
    const hashes: string[] = [];
    for (let n = 0; n < 100; n++) {
      const { headers } = await roomy.create(`s${n}`);
      hashes.push(hashOf(headers['Stream-Next-Offset']));
    }
    await roomy.close();
    expect(hashes.filter((hash) => !/^[0-9a-z]{5}$/.test(hash))).toEqual([]);
    expect(new Set(hashes).size).toBeGreaterThan(90);
  });

  test('that fills a chunk is sealed later; a shorter one is not', async () => {
    await streams.create('short', 'x'.repeat(99));
    expect(streams.deps.sealer.waiting).toBe(0);
    await streams.create('long', 'x'.repeat(100));
    expect(streams.deps.sealer.waiting).toBe(1);
  });
});

describe('a repeated create', () => {
  test('returns the existing stream without a location, and reads no body', async () => {
    await streams.create('s', 'abc');
    streams.calls.length = 0;
    const body = () => Promise.reject(new Error('the body was read'));
    const call = callOf('s', { headers: { 'content-type': 'TEXT/plain; a=b' } });
    const { status, headers } = await createStream(streams.deps, { ...call, body });
    expect([status, headers]).toEqual([
      200,
      { 'Content-Type': 'text/plain', 'Stream-Next-Offset': expect.any(String) },
    ]);
    expect([streams.calls, streams.changed.length]).toEqual([['get'], 1]);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['content type', {}, { 'content-type': 'text/html' }],
    ['time to live', { 'stream-ttl': '60' }, { 'stream-ttl': '61' }],
    ['time to live', { 'stream-ttl': '60' }, {}],
    [
      'expiry',
      { 'stream-expires-at': '2027-01-01T00:00:00Z' },
      { 'stream-expires-at': '2027-01-01T00:00:01Z' },
    ],
    ['closed state', {}, { 'stream-closed': 'true' }],
    ['closed state', { 'stream-closed': 'true' }, {}],
    ['source', {}, { 'stream-forked-from': 'root' }],
    ['source', { 'stream-forked-from': 'root' }, {}],
    [
      'fork offset',
      { 'stream-forked-from': 'root' },
      { 'stream-forked-from': 'root', 'stream-fork-offset': '-1' },
    ],
  ])('with a different %s is refused', async (difference, first, second) => {
    await streams.create('root', 'abc');
    await streams.create('s', '', first);
    expect((await streams.create('s', '', first)).status).toBe(200);
    await expect(streams.create('s', '', second)).rejects.toMatchObject({
      code: 'STREAM_CONFLICT',
      message: expect.stringMatching(`different ${difference}$`),
    });
  });

  test('loses to one that came in between, and counts nothing', async () => {
    streams.before('create', () => streams.create('stream/acme/s', 'first'));
    const { status } = await streams.create('stream/acme/s', 'x'.repeat(400));
    expect([status, (await streams.state('stream/acme/s')).totalBytes]).toEqual([200, 5]);
    expect(await streams.deps.storedBytes.refusal('acme', 495)).toBeUndefined();
    expect(await streams.deps.storedBytes.refusal('acme', 496)).toBeDefined();
    streams.before('create', () => streams.create('t', '', { 'content-type': 'text/html' }));
    await expect(streams.create('t')).rejects.toThrow('different content type');
  });
});

describe('open streams', () => {
  test('have the default limit if the tenant has none of its own', async () => {
    for (const name of ['a', 'b', 'c']) await streams.create(`stream/acme/${name}`);
    await expect(streams.create('stream/acme/d')).rejects.toMatchObject({
      code: 'TOO_MANY_STREAMS',
      details: { max: 3 },
    });
    expect(new Set(asked)).toEqual(new Set(['acme']));
  });

  test('have the limit of the tenant', async () => {
    await streams.create('stream/small/a');
    await expect(streams.create('stream/small/b')).rejects.toMatchObject({ details: { max: 1 } });
    expect((await streams.create('stream/small/a')).status).toBe(200);
  });

  test('without a tenant in their id have the default', async () => {
    for (const name of ['a', 'b', 'c']) await streams.create(name);
    await expect(streams.create('d')).rejects.toMatchObject({ details: { max: 3 } });
    expect(asked).toEqual([]);
  });

  test('a fork that is refused leaves no trace at its source', async () => {
    for (const name of ['a', 'b', 'c']) await streams.create(name);
    await expect(streams.fork('d', 'a')).rejects.toMatchObject({ code: 'TOO_MANY_STREAMS' });
    expect(await streams.deps.store.forks(await streams.state('a'))).toEqual([]);
  });
});

describe('a fork', () => {
  beforeEach(async () => {
    await streams.create('root', 'abc', { 'content-type': 'text/html; a=b', 'stream-ttl': '60' });
  });

  test('has the type, the bytes and the lifetime of its source', async () => {
    expect((await streams.fork('f', 'root')).headers['Content-Type']).toBe('text/html; a=b');
    expect(await streams.state('f')).toMatchObject({
      totalBytes: 3,
      ttlSeconds: 60,
      expiresAt: null,
      tail: { chunk: 0, position: 3 },
      ancestors: [{ id: 'root', until: { chunk: 0, position: 3 } }],
    });
    const root = await streams.state('root');
    const fork = await streams.state('f');
    expect(await streams.deps.store.forks(root)).toEqual([
      { id: 'f', life: fork.life, announcedAt: streams.now },
    ]);
  });

  test('with a lifetime of its own does not inherit any part of one', async () => {
    await streams.fork('f', 'root', { 'stream-expires-at': '2027-01-01T00:00:00Z' });
    expect(await streams.state('f')).toMatchObject({ ttlSeconds: null, expiresAt: Date.UTC(2027, 0) });
    const at = { 'stream-expires-at': '2028-01-01T00:00:00Z' };
    await streams.create('stream/acme/fixed', '', at);
    await streams.fork('stream/acme/g', 'stream/acme/fixed', { 'stream-ttl': '5' });
    expect(await streams.state('stream/acme/g')).toMatchObject({ ttlSeconds: 5, expiresAt: null });
  });

  test('must have the type of its source', async () => {
    await expect(streams.fork('f', 'root', { 'content-type': 'text/plain' })).rejects.toMatchObject({
      code: 'CONTENT_TYPE_MISMATCH',
    });
    expect((await streams.fork('f', 'root', { 'content-type': 'TEXT/HTML' })).status).toBe(201);
    expect((await streams.state('f')).contentType).toBe('TEXT/HTML');
  });

  test('is refused if its source is deleted in between', async () => {
    await streams.fork('other', 'root');
    streams.before('addFork', async () => streams.deps.store.remove(await streams.state('root')));
    await expect(streams.fork('f', 'root')).rejects.toMatchObject({ code: 'STREAM_CONFLICT' });
    expect(await streams.deps.store.get('f')).toBeUndefined();
  });

  test('that lost to another create is no longer announced', async () => {
    streams.before('create', () => streams.create('f', '', { 'content-type': 'text/html' }));
    await expect(streams.fork('f', 'root')).rejects.toThrow('different');
    expect(await streams.deps.store.forks(await streams.state('root'))).toEqual([]);
  });
});

describe('the name of a deleted stream', () => {
  test('stays taken while a fork needs it, and is free afterwards', async () => {
    await streams.create('root', 'abc');
    await streams.fork('f', 'root');
    await streams.deps.store.remove(await streams.state('root'));
    await expect(streams.create('root')).rejects.toThrow('still needed by its forks');
    await streams.deps.store.remove(await streams.state('f'));
    // A fork that was announced long ago and does not exist keeps nothing.
    streams.now += 60_000;
    expect((await streams.create('root')).status).toBe(201);
    expect((await streams.state('root')).totalBytes).toBe(0);
  });
});

describe('a stream of the server itself', () => {
  const own = {
    id: 'proxy/1',
    life: 'life of 1',
    contentType: 'text/plain',
    expiresAt: Date.UTC(2027, 0),
    metadata: '{"tenant":"acme"}',
    collection: 'proxy/acme',
    data: new TextEncoder().encode('abc'),
  };

  test('is open and counts for its tenant, and its id is taken', async () => {
    const state = await createOwn(streams.deps, own);
    expect(state).toMatchObject({
      life: 'life of 1',
      totalBytes: 3,
      closed: false,
      ttlSeconds: null,
      expiresAt: Date.UTC(2027, 0),
      createdAt: streams.now,
      tail: { chunk: 0, position: 3 },
    });
    expect(streams.changed).toEqual([state]);
    expect(await streams.deps.storedBytes.refusal('acme', 498)).toBeDefined();
    await expect(createOwn(streams.deps, own)).rejects.toMatchObject({ code: 'STREAM_CONFLICT' });
    expect(streams.changed).toHaveLength(1);
  });

  test('can be created closed', async () => {
    expect((await createOwn(streams.deps, { ...own, closed: true })).closed).toBe(true);
  });
});
