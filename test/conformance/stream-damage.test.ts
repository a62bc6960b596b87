import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import { type Verified, verifyStreams } from '../../src/streams/index.js';
import { segmentsOf, spoilHot } from '../support/spoil-stream.js';
import { StreamHarness } from '../support/stream-harness.js';

/** Bits that change on disk: everything before them stays readable, everything after them is an error on every read. */
const TEXT = { headers: { 'Content-Type': 'text/plain' } };
let harness: StreamHarness;

beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 100, limits: { longPollMs: 50, sseMs: 200 } });
});
afterEach(() => harness.stop());

const append = (path: string, body: string) => harness.ask('append', path, { ...TEXT, body });
const fork = (path: string, source: string, offset?: string) =>
  harness.ask('create', path, {
    headers: { 'Stream-Forked-From': source, ...(offset && { 'Stream-Fork-Offset': offset }) },
  });
const offsetOf = async (path: string) =>
  (await harness.ask('head', path)).headers['Stream-Next-Offset'] ?? '';

/** Every read mode agrees from every offset, repeatedly, also after a restart. */
async function expectDamagedFrom(path: string, sound: string): Promise<void> {
  for (const round of ['first', 'second', 'after a restart']) {
    if (round === 'after a restart') await harness.restart();
    const before = await harness.ask('read', path);
    expect([before.status, before.text, before.headers['Stream-Up-To-Date']], round).toEqual([
      200,
      sound,
      undefined,
    ]);
    const live = await harness.ask('read', path, { query: { offset: '-1', live: 'sse' } });
    expect(live.text, round).not.toContain('upToDate');
    expect(live.text.match(/(?<=event: data\ndata:).*/g)?.join('') ?? '', round).toBe(sound);
    const at = before.headers['Stream-Next-Offset'] ?? '';
    for (const query of [
      { offset: at },
      { offset: at, live: 'sse' },
      { offset: at, live: 'long-poll' },
      { offset: 'now' },
      { offset: 'now', live: 'sse' },
      { offset: 'now', live: 'long-poll' },
    ]) {
      const refused = await harness.ask('read', path, { query });
      expect(refused, `${round} ${JSON.stringify(query)}`).toMatchObject({
        status: 500,
        code: 'STREAM_CORRUPT',
      });
    }
    expect(await append(path, 'more')).toMatchObject({ status: 500, code: 'STREAM_CORRUPT' });
    expect(harness.service.damaged).toContain(path);
  }
}

/** The first read that meets unknown damage has already sent its length, so it must not look complete. */
const readBreaksOff = (path: string) =>
  expect(harness.ask('read', path)).resolves.toMatchObject({ status: 500 });

async function family(): Promise<void> {
  await harness.ask('create', 'root', TEXT);
  await append('root', 'a'.repeat(10));
  const early = await offsetOf('root');
  await append('root', 'b'.repeat(10));
  await append('root', 'c'.repeat(10));
  await fork('early', 'root', early);
  await fork('late', 'root');
  await append('late', 'own');
  await fork('child', 'late');
  await fork('early-child', 'early');
}

test('damage of an ancestor is damage of every fork that branched off after it, on every read', async () => {
  await family();
  await spoilHot(harness, 'root', { position: 10 });
  await readBreaksOff('child');
  for (const path of ['root', 'late', 'child']) await expectDamagedFrom(path, 'a'.repeat(10));
  for (const path of ['early', 'early-child']) {
    expect(await harness.ask('read', path)).toMatchObject({ status: 200, text: 'a'.repeat(10) });
    expect((await append(path, 'goes on')).status).toBe(204);
  }
  expect([...harness.service.damaged].sort()).toEqual(['child', 'late', 'root']);
  expect(
    harness.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields['stream']),
  ).toEqual(expect.arrayContaining(['root', 'late', 'child']));
});

test.each(['', 'long-poll', 'sse'])('a read that starts at unknown damage fails at once %s', async (live) => {
  await family();
  const at = (await offsetOf('early')).replace(/^\w{5}/, (await offsetOf('root')).slice(0, 5));
  await spoilHot(harness, 'root', { position: 10 });
  const raw = await harness.service
    .read({
      id: 'root',
      url: 'http://test/root',
      query: new URLSearchParams({ offset: at, ...(live !== '' && { live }) }),
      header: () => null,
      body: async () => new Uint8Array(0),
      idOfPath: () => undefined,
    })
    .catch((error: { code: string }) => error.code);
  expect(raw).toBe('STREAM_CORRUPT');
});

test('damage found at the tail when the store is opened reaches the forks that share it', async () => {
  await family();
  await spoilHot(harness, 'root', { position: 20 });
  expect(harness.service.damaged).toContain('root');
  await expect.poll(() => [...harness.service.damaged].sort()).toEqual(['child', 'late', 'root']);
  await expectDamagedFrom('late', `${'a'.repeat(10)}${'b'.repeat(10)}`);
});

test('a fork may branch off before the damage and continue from there, but not beyond it', async () => {
  await family();
  const end = await offsetOf('root');
  await spoilHot(harness, 'root', { position: 10 });
  await readBreaksOff('root');
  const at = (await harness.ask('read', 'root')).headers['Stream-Next-Offset'];
  expect(await fork('beyond', 'root', end)).toMatchObject({ status: 500, code: 'STREAM_CORRUPT' });
  expect(await fork('tail', 'root')).toMatchObject({ status: 500, code: 'STREAM_CORRUPT' });
  expect((await fork('rescued', 'root', at)).status).toBe(201);
  await append('rescued', '!');
  expect((await harness.ask('read', 'rescued')).text).toBe(`${'a'.repeat(10)}!`);
});

test('damage found later at an earlier position moves the mark there', async () => {
  await family();
  await spoilHot(harness, 'root', { position: 20 });
  await spoilHot(harness, 'root', { position: 0 });
  await readBreaksOff('late');
  for (const path of ['root', 'late', 'early']) {
    expect(await harness.ask('read', path)).toMatchObject({ status: 500, code: 'STREAM_CORRUPT' });
  }
});

test('missing segments make reads unavailable, and mark nothing', async () => {
  await harness.ask('create', 'root', TEXT);
  for (const letter of 'abcdefghijkl') await append('root', letter.repeat(10));
  await append('root', 'tail');
  const middle = (await offsetOf('root')).replace(/:.*/, ':00000000:0000000050');
  await fork('late', 'root');
  await harness.service.settled();
  const whole = (await harness.ask('read', 'root')).text;
  renameSync(join(harness.folder, 'segments'), join(harness.folder, 'away'));
  for (const path of ['root', 'late']) {
    for (const query of [{ offset: '-1' }, { offset: middle }, { offset: '-1', live: 'long-poll' }]) {
      expect(await harness.ask('read', path, { query })).toMatchObject({
        status: 503,
        code: 'STORAGE_UNAVAILABLE',
      });
    }
    expect((await append(path, '!')).status).toBe(204);
  }
  expect(harness.service.damaged).toEqual([]);
  rmSync(join(harness.folder, 'segments'), { recursive: true, force: true });
  renameSync(join(harness.folder, 'away'), join(harness.folder, 'segments'));
  for (const path of ['root', 'late']) expect((await harness.ask('read', path)).text).toBe(`${whole}!`);
});

test('a segment with a corrupt index is damaged from its first byte', async () => {
  await harness.ask('create', 'root', TEXT);
  for (const letter of 'abcdefghijkl') await append('root', letter.repeat(10));
  await harness.service.settled();
  for (const path of segmentsOf(harness)) {
    const bytes = readFileSync(path);
    bytes[bytes.length - 12] = (bytes.at(-12) ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
  await readBreaksOff('root');
  await expect(harness.ask('read', 'root')).resolves.toMatchObject({ status: 500, code: 'STREAM_CORRUPT' });
});

test('a chunk that cannot be sealed because it is damaged is reported', async () => {
  await harness.ask('create', 'root', TEXT);
  for (const letter of 'abcdefghi') await append('root', letter.repeat(10));
  await spoilHot(harness, 'root', { position: 40 });
  await append('root', 'j'.repeat(10));
  await harness.service.settled();
  expect(harness.service.damaged).toEqual(['root']);
  await expectDamagedFrom('root', 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd');
});

test('a scan reads shared bytes once, and finds their damage in every fork', async () => {
  await family();
  const scan = async () => {
    const found: Verified[] = [];
    const objects = createFileObjectStore(join(harness.folder, 'segments'));
    for await (const verified of verifyStreams({ store: harness.host.store, objects })) found.push(verified);
    return new Map(found.map(({ id, ...rest }) => [id, rest]));
  };
  const sound = await scan();
  expect(Object.fromEntries([...sound].map(([id, { bytes }]) => [id, bytes]))).toEqual({
    root: 30,
    early: 0,
    late: 3,
    child: 0,
    'early-child': 0,
  });
  await spoilHot(harness, 'root', { position: 10 });
  const damaged = await scan();
  for (const id of ['root', 'late', 'child'])
    expect(damaged.get(id)?.damagedFrom, id).toMatch(/:00000000:0000000010$/);
  for (const id of ['early', 'early-child']) expect(damaged.get(id)?.damagedFrom, id).toBeUndefined();
});
