/** Missing segments, outdated marks and damaged bytes: `repair` fixes what `verify` reports. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sonde } from '../engines/cli-process.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

let folder: string;
/** In this process: it is stopped in the regular way before `verify` and `repair` open its folder. */
let server: ServedForTest;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-repair-'));
  server = await serveForTest({ dataDir: folder });
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const BYTES = { 'content-type': 'application/octet-stream' };
const PIECE_BYTES = 3_000_000;
const at = (query = '') => `${server.url}/v1/stream/big${query}`;

/** Writes two full chunks of two records each, and a short tail. Returns the offset after each record. */
async function fill(): Promise<readonly string[]> {
  await fetch(at(), { method: 'PUT', headers: BYTES });
  const offsets: string[] = [];
  for (const body of [1, 2, 3, 4].map((n) => new Uint8Array(PIECE_BYTES).fill(n)))
    offsets.push(await append(body));
  offsets.push(await append(new Uint8Array([5, 5, 5])));
  await expect.poll(() => segments().length, { timeout: 20_000 }).toBe(2);
  return offsets;
}

async function append(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const response = await fetch(at(), { method: 'POST', headers: BYTES, body });
  expect(response.status).toBe(204);
  return response.headers.get('stream-next-offset') ?? '';
}

/** Returns the paths of the segments in the order of their chunks. */
function segments(): readonly string[] {
  try {
    return readdirSync(join(folder, 'segments'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}

async function command(...words: string[]) {
  const { code, stdout } = await sonde(['stream', ...words, '--data', folder, '--json']);
  return { code, output: JSON.parse(stdout) };
}

const restart = async () => {
  server = await serveForTest({ dataDir: folder });
};

/** Returns how many bytes of each value the whole stream has. */
async function counts(): Promise<Record<number, number>> {
  const found = new Uint32Array(256);
  for (let offset = '-1', more = true; more; ) {
    const response = await fetch(at(`?offset=${offset}`));
    expect(response.status).toBe(200);
    for (const byte of new Uint8Array(await response.arrayBuffer())) found[byte] = (found[byte] ?? 0) + 1;
    offset = response.headers.get('stream-next-offset') ?? '';
    more = response.headers.get('stream-up-to-date') !== 'true';
  }
  return Object.fromEntries([...found.entries()].filter(([, count]) => count > 0));
}

const ID = 'stream/default/big';

test('a missing segment is reported, and given up on request; no offset in it names other bytes', async () => {
  const offsets = await fill();
  await server.stop();
  const [first = ''] = segments();
  renameSync(first, join(folder, 'kept-aside'));
  expect(await command('verify')).toMatchObject({
    code: 1,
    output: { damaged: [], missing: [{ id: ID, segments: [0] }], wronglyMarked: [] },
  });
  const left = await command('repair');
  expect(left).toMatchObject({
    code: 1,
    output: { lostBytes: 0, left: 1, streams: [{ id: ID, left: 'missing' }] },
  });
  const done = await command('repair', '--give-up-missing');
  expect(done).toMatchObject({ code: 0, output: { lostBytes: 2 * PIECE_BYTES, left: 0 } });
  expect((await command('verify')).code).toBe(0);
  await restart();
  expect(await counts()).toEqual({ 3: PIECE_BYTES, 4: PIECE_BYTES, 5: 3 });
  expect((await fetch(at(`?offset=${offsets[0]}`))).status).toBe(400);
  await append(new Uint8Array([6]));
  expect(await counts()).toMatchObject({ 5: 3, 6: 1 });
});

test('a mark whose bytes are sound again is cleared', async () => {
  await fill();
  const [first = ''] = segments();
  const sound = readFileSync(first);
  const spoilt = Buffer.from(sound);
  spoilt.writeUInt8(99, PIECE_BYTES + 100);
  writeFileSync(first, spoilt);
  await fetch(at('?offset=-1'))
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
  await server.stop();
  writeFileSync(first, sound);
  expect(await command('verify')).toMatchObject({ code: 1, output: { damaged: [], wronglyMarked: [ID] } });
  expect(await command('repair')).toMatchObject({
    code: 0,
    output: { lostBytes: 0, streams: [{ id: ID, done: 'mark_cleared' }] },
  });
  await restart();
  expect(await counts()).toEqual({ 1: PIECE_BYTES, 2: PIECE_BYTES, 3: PIECE_BYTES, 4: PIECE_BYTES, 5: 3 });
  await append(new Uint8Array([6]));
});

test('damaged bytes are cut off with all that follows, and the stream continues in a new chunk', async () => {
  const offsets = await fill();
  await server.stop();
  const [first = ''] = segments();
  const spoilt = readFileSync(first);
  spoilt.writeUInt8(99, PIECE_BYTES + 100);
  writeFileSync(first, spoilt);
  expect(await command('repair')).toMatchObject({
    code: 1,
    output: { streams: [{ id: ID, left: 'damaged' }] },
  });
  expect(await command('repair', '--cut-damaged')).toMatchObject({
    code: 0,
    output: { lostBytes: 3 * PIECE_BYTES + 3, streams: [{ id: ID, done: 'tail_cut_off', from: offsets[0] }] },
  });
  expect((await command('verify')).code).toBe(0);
  await restart();
  expect(await counts()).toEqual({ 1: PIECE_BYTES });
  await append(new Uint8Array(100).fill(6));
  expect(await counts()).toEqual({ 1: PIECE_BYTES, 6: 100 });
  // An offset at the end of a chunk is still valid; no offset inside the removed part is.
  const cut = await fetch(at(`?offset=${offsets[2]}`));
  expect(cut.status).toBe(400);
  expect((await fetch(at(`?offset=${offsets[4]}`))).status).toBe(400);
});
