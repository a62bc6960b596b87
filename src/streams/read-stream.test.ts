import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ask, callOf, InlineStreams, piecesOf, textOf } from '../../test/support/inline-streams.js';
import { readStream } from './read-stream.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const SETTLED = 'private, max-age=60, stale-while-revalidate=300';
let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams({ limits: { readBytes: 250 } });
  await streams.create('s', 'abc');
});
afterEach(() => streams.close());

const read = (id: string, ask: Ask = {}) => readStream(streams.deps, callOf(id, ask));
const tail = async (id: string) => (await read(id)).headers['Stream-Next-Offset'] ?? '';

describe('the query', () => {
  test('may have one offset', async () => {
    const call = { ...callOf('s'), query: new URLSearchParams('offset=-1&offset=-1') };
    await expect(readStream(streams.deps, call)).rejects.toThrow('more than once');
    expect(await textOf(await read('s', { query: { offset: '-1' } }))).toBe('abc');
  });

  test('of a live read needs an offset and a known mode', async () => {
    for (const live of ['sse', 'long-poll'])
      await expect(read('s', { query: { live } })).rejects.toThrow('needs an offset');
    await expect(read('s', { query: { live: 'raw', offset: '-1' } })).rejects.toThrow('long-poll or sse');
    await expect(read('s', { query: { live: '', offset: '-1' } })).rejects.toThrow('long-poll or sse');
  });

  test('names a stream that exists', async () => {
    await expect(read('none')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });
});

describe('a catch-up read', () => {
  test('of an open stream must be revalidated', async () => {
    const { status, headers, state } = await read('s');
    expect([status, state?.id]).toEqual([200, 's']);
    expect(headers).toEqual({
      'Content-Type': 'text/plain',
      'Stream-Total-Size': '3',
      'Stream-Write-Units': '1',
      'Stream-Next-Offset': expect.stringMatching(/:00000000:0000000003$/),
      'Stream-Up-To-Date': 'true',
      'Cache-Control': 'private, no-cache',
      ETag: expect.stringMatching(/^"[0-9a-z]{5}-0\.0-0\.3"$/),
    });
  });

  test('of a closed stream never changes', async () => {
    await streams.append('s', 'd', { 'stream-closed': 'true' });
    expect((await read('s')).headers).toMatchObject({
      'Stream-Closed': 'true',
      'Cache-Control': SETTLED,
      ETag: expect.stringMatching(/-closed"$/),
    });
  });

  test('that ends before the tail never changes, and is not the end of a closed stream', async () => {
    for (const letter of ['x', 'y', 'z']) await streams.append('s', letter.repeat(100));
    expect((await read('s')).headers['Cache-Control']).toBe(SETTLED);
    await streams.append('s', '', { 'stream-closed': 'true' });
    const { headers } = await read('s');
    expect(headers['Stream-Next-Offset']).toMatch(/:00000002:0000000000$/);
    expect([headers['Stream-Up-To-Date'], headers['Stream-Closed']]).toEqual([undefined, undefined]);
    expect(headers['Cache-Control']).toBe(SETTLED);
  });

  test('from now is never cached', async () => {
    const response = await read('s', { query: { offset: 'now' }, headers: { 'if-none-match': '*' } });
    expect([response.status, await textOf(response)]).toEqual([200, '']);
    expect([response.headers['Cache-Control'], response.headers['ETag']]).toEqual(['no-store', undefined]);
  });

  test('returns nothing new as 304', async () => {
    const tag = (await read('s')).headers['ETag'] ?? '';
    const status = async (header: string) =>
      (await read('s', { headers: { 'if-none-match': header } })).status;
    for (const header of [tag, `W/${tag}`, `"x", ${tag} ,"y"`, '*']) expect(await status(header)).toBe(304);
    const inside = `${tag.slice(0, 3)}W/${tag.slice(3)}`;
    for (const header of ['"x"', '', inside, `${tag}x`]) expect(await status(header)).toBe(200);
    expect((await read('s', { headers: { 'if-none-match': tag } })).body).toBeUndefined();
    await streams.append('s', 'd');
    expect(await status(tag)).toBe(200);
  });

  test('streams bytes of a known length', async () => {
    await streams.append('s', 'x'.repeat(97));
    await streams.append('s', 'yz');
    const { body } = await read('s');
    if (body?.kind !== 'pieces') throw new Error('not in pieces');
    expect(body.length).toBe(102);
    body.release(new Uint8Array(1));
    expect(await piecesOf(await read('s'))).toEqual([`abc${'x'.repeat(97)}`, 'yz']);
  });

  test('gives sent pieces back to the storage of segments', async () => {
    const released: Uint8Array[] = [];
    const objects = { ...streams.deps.objects, release: (bytes: Uint8Array) => void released.push(bytes) };
    const { body } = await readStream({ ...streams.deps, objects }, callOf('s'));
    const piece = new Uint8Array(1);
    if (body?.kind === 'pieces') body.release(piece);
    expect(released).toEqual([piece]);
  });
});

describe('a read of JSON', () => {
  test('gives its last bytes back, which it has copied', async () => {
    await streams.create('j', '[1,2]', JSON_TYPE);
    const released: string[] = [];
    const release = (bytes: Uint8Array) => void released.push(new TextDecoder().decode(bytes));
    const objects = { ...streams.deps.objects, release };
    const response = await readStream({ ...streams.deps, objects }, callOf('j'));
    expect([await piecesOf(response), released]).toEqual([['[1,2]'], ['1,2,']]);
  });

  test('is one array, however many pieces it has', async () => {
    await streams.create('j', '', JSON_TYPE);
    expect(await piecesOf(await read('j'))).toEqual(['[]']);
    await streams.append('j', '1', JSON_TYPE);
    expect(await piecesOf(await read('j'))).toEqual(['[1]']);
    const long = JSON.stringify('x'.repeat(70));
    for (let n = 0; n < 3; n++) await streams.append('j', long, JSON_TYPE);
    await streams.append('j', '[2,3]', JSON_TYPE);
    const response = await read('j');
    expect(await piecesOf(response)).toEqual(['[', `1,${long},${long},`, `${long},2,3]`]);
    expect(response.body).toMatchObject({ length: 226 });
    for (let n = 0; n < 4; n++) await streams.append('j', long, JSON_TYPE);
    const limits = { ...streams.deps.limits, readBytes: 1_000 };
    const whole = await readStream({ ...streams.deps, limits }, callOf('j'));
    const pieces = await piecesOf(whole);
    expect(pieces.filter((piece) => piece === '')).toEqual([]);
    expect(pieces.join('')).toBe(`[1,${`${long},`.repeat(3)}2,3,${Array(4).fill(long).join()}]`);
  });

  test('cannot begin inside a message', async () => {
    await streams.create('j', '[1,22]', JSON_TYPE);
    await streams.append('j', '3', JSON_TYPE);
    const [hash] = (await tail('j')).split(':');
    for (const position of [1, 2, 3, 4, 6]) {
      const offset = `${hash}:00000000:${String(position).padStart(10, '0')}`;
      await expect(read('j', { query: { offset } })).rejects.toMatchObject({ code: 'OFFSET_INVALID' });
    }
    const offset = `${hash}:00000000:0000000005`;
    expect(await textOf(await read('j', { query: { offset } }))).toBe('[3]');
  });
});

describe('a damaged stream', () => {
  const from = { chunk: 0, position: 3 };

  beforeEach(async () => {
    await streams.append('s', 'def');
    await streams.deps.store.markCorrupt(await streams.state('s'), from);
  });

  test('can be read up to the damage, which is not its end', async () => {
    const response = await read('s');
    expect([await textOf(response), response.headers['Stream-Up-To-Date']]).toEqual(['abc', undefined]);
    expect(response.headers['Stream-Next-Offset']).toMatch(/:00000000:0000000003$/);
  });

  test.each(['', 'sse', 'long-poll'])('cannot be read from there on (live %j)', async (live) => {
    const [hash] = (await tail('s')).split(':');
    for (const offset of ['now', `${hash}:00000000:0000000003`]) {
      const query = { offset, ...(live !== '' && { live }) };
      await expect(read('s', { query })).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    }
  });
});

test('a read renews a time to live', async () => {
  await streams.create('t', 'x', { 'stream-ttl': '10' });
  for (let n = 0; n < 3; n++) {
    streams.now += 9_999;
    expect((await read('t')).status).toBe(200);
  }
  streams.now += 10_000;
  await expect(read('t')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
});
