import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import { type RepairRequest, repairStreams, type Verified, verifyStreams } from '../../src/streams/index.js';
import type { Repaired } from '../../src/streams/repair-streams.js';
import { segmentsOf, spoilHot } from '../support/spoil-stream.js';
import { StreamHarness } from '../support/stream-harness.js';

/** Missing segments, outdated marks and damaged bytes: a repair fixes what a scan reports. */
const TEXT = { headers: { 'Content-Type': 'text/plain' } };
const LETTERS = 'abcdefghijklmnopqrstuvwxy';
let harness: StreamHarness;

/** Two cold chunks of ten records, an open one of five, and a fork from its end. */
beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 100 });
  await harness.ask('create', 'root', TEXT);
  for (const letter of LETTERS) await append('root', letter.repeat(10));
  await harness.ask('create', 'fork', { headers: { 'Stream-Forked-From': 'root' } });
  await append('fork', 'own');
  await harness.service.settled();
});
afterEach(() => harness.stop());

const append = (path: string, body: string) => harness.ask('append', path, { ...TEXT, body });
const stored = () => ({
  store: harness.host.store,
  objects: createFileObjectStore(join(harness.folder, 'segments')),
});

async function verify(): Promise<Record<string, Omit<Verified, 'id'>>> {
  const found: Record<string, Omit<Verified, 'id'>> = {};
  for await (const { id, ...rest } of verifyStreams(stored())) found[id] = rest;
  return found;
}

async function repair(request: Partial<RepairRequest> = {}): Promise<Repaired[]> {
  const done: Repaired[] = [];
  const deps = { ...stored(), repairs: harness.host.repairs };
  const wanted = { giveUpMissing: false, cutDamaged: false, ...request };
  for await (const one of repairStreams(deps, wanted)) done.push(one);
  await harness.restart();
  return done;
}

async function markDamaged(id: string): Promise<void> {
  const state = await harness.host.store.get(id);
  if (!state) throw new Error(`there is no ${id}`);
  await harness.host.store.markCorrupt(state, { chunk: 1, position: 50 });
}

/** Returns each letter that the stream shows, once for its ten bytes. */
async function lettersOf(path: string): Promise<string> {
  const { text } = await harness.ask('read', path);
  return text.replace(/(.)\1{9}/g, '$1');
}

const at = (chunk: number, position: number) =>
  expect.stringMatching(new RegExp(`:0{7}${chunk}:${String(position).padStart(10, '0')}$`));
const SOUND = { root: { bytes: 250 }, fork: { bytes: 3 } };

test('a sound store has nothing to report or to repair', async () => {
  expect(await verify()).toEqual(SOUND);
  expect(await repair({ giveUpMissing: true, cutDamaged: true })).toEqual([]);
  expect(await lettersOf('fork')).toBe(`${LETTERS}own`);
});

test('a missing segment is reported for every stream that shows it, and given up only on request', async () => {
  const [first = ''] = segmentsOf(harness);
  renameSync(first, join(harness.folder, 'aside'));
  const missing = { root: { bytes: 150, missing: [0] }, fork: { bytes: 3, missing: [0] } };
  expect(await verify()).toEqual(missing);
  const nothing = { done: 'nothing', lostBytes: 0, left: 'missing' };
  for (const request of [{}, { cutDamaged: true }]) {
    expect(await repair(request)).toEqual([
      { id: 'fork', ...nothing },
      { id: 'root', ...nothing },
    ]);
  }
  expect(await verify()).toEqual(missing);
  expect(await repair({ giveUpMissing: true })).toEqual([
    { id: 'root', done: 'segment_given_up', lostBytes: 100, from: at(0, 0) },
  ]);
  expect(await verify()).toEqual({ root: { bytes: 150 }, fork: { bytes: 3 } });
  expect(await lettersOf('fork')).toBe(`${LETTERS.slice(10)}own`);
  expect((await append('root', 'goes on')).status).toBe(204);
  // No offset in the abandoned part names other bytes.
  const { headers } = await harness.ask('head', 'root');
  const offset = headers['Stream-Next-Offset']?.replace(/:.*/, ':00000000:0000000050') ?? '';
  expect(await harness.ask('read', 'root', { query: { offset } })).toMatchObject({ status: 400 });
  expect(await repair({ giveUpMissing: true })).toEqual([]);
});

test('all missing segments of a stream are given up, one by one', async () => {
  rmSync(join(harness.folder, 'segments'), { recursive: true });
  expect((await verify())['root']).toEqual({ bytes: 50, missing: [0, 1] });
  expect(await repair({ giveUpMissing: true })).toMatchObject([{ from: at(0, 0) }, { from: at(1, 0) }]);
  expect(await lettersOf('root')).toBe(LETTERS.slice(20));
});

test('a mark whose bytes are sound is reported and cleared, and the stream accepts appends again', async () => {
  await markDamaged('root');
  expect((await append('root', 'more')).status).toBe(500);
  expect(await verify()).toEqual({ ...SOUND, root: { bytes: 250, wronglyMarked: true } });
  expect(await repair()).toEqual([{ id: 'root', done: 'mark_cleared', lostBytes: 0 }]);
  expect(await verify()).toEqual(SOUND);
  expect((await append('root', 'more')).status).toBe(204);
  expect(await lettersOf('root')).toBe(`${LETTERS}more`);
});

test('a mark stays while a segment is missing, because it cannot be verified', async () => {
  await markDamaged('root');
  const [first = ''] = segmentsOf(harness);
  renameSync(first, join(harness.folder, 'aside'));
  expect((await verify())['root']).toEqual({ bytes: 150, missing: [0] });
  expect(await repair()).toMatchObject([
    { id: 'fork', left: 'missing' },
    { id: 'root', left: 'missing' },
  ]);
  expect((await append('root', 'more')).status).toBe(500);
});

test('damaged bytes of an open chunk are cut off with what follows, and the stream continues after them', async () => {
  await spoilHot(harness, 'root', { chunk: 2, position: 20 });
  const damaged = {
    root: { bytes: 220, damagedFrom: at(2, 20) },
    fork: { bytes: 3, damagedFrom: at(2, 20) },
  };
  expect(await verify()).toEqual(damaged);
  const nothing = { done: 'nothing', lostBytes: 0, left: 'damaged' };
  for (const request of [{}, { giveUpMissing: true }]) {
    expect(await repair(request)).toEqual([
      { id: 'fork', ...nothing },
      { id: 'root', ...nothing },
    ]);
  }
  const done = await repair({ cutDamaged: true });
  expect(done[0]).toEqual({ id: 'root', done: 'tail_cut_off', lostBytes: 30, from: at(2, 20) });
  expect(await verify()).toEqual({ root: { bytes: 220 }, fork: { bytes: 3 } });
  expect([await lettersOf('root'), await lettersOf('fork')]).toEqual([
    LETTERS.slice(0, 22),
    `${LETTERS.slice(0, 22)}own`,
  ]);
  expect((await append('root', 'goes on')).headers['Stream-Next-Offset']).toEqual(at(3, 7));
  expect(await lettersOf('root')).toBe(`${LETTERS.slice(0, 22)}goes on`);
  expect(await repair({ cutDamaged: true })).toEqual([]);
});

test('damaged bytes of a segment are cut off with all later chunks', async () => {
  const [first = ''] = segmentsOf(harness);
  const spoilt = readFileSync(first);
  spoilt.writeUInt8(35, 34);
  writeFileSync(first, spoilt);
  const done = await repair({ cutDamaged: true });
  expect(done[0]).toEqual({ id: 'root', done: 'tail_cut_off', lostBytes: 220, from: at(0, 30) });
  expect(await verify()).toMatchObject({ root: { bytes: 30 } });
  expect(await lettersOf('root')).toBe('abc');
  await append('root', 'z'.repeat(10));
  expect(await lettersOf('root')).toBe('abcz');
});

test('a fork whose own bytes are damaged loses only those', async () => {
  await append('fork', '0123456789');
  await append('fork', 'last');
  await spoilHot(harness, 'fork', { chunk: 2, position: 53 });
  expect(await verify()).toEqual({ ...SOUND, fork: { bytes: 3, damagedFrom: at(2, 53) } });
  const done = await repair({ cutDamaged: true });
  expect(done[0]).toEqual({ id: 'fork', done: 'tail_cut_off', lostBytes: 14, from: at(2, 53) });
  expect(await lettersOf('fork')).toBe(`${LETTERS}own`);
  expect((await append('root', 'goes on')).status).toBe(204);
});
