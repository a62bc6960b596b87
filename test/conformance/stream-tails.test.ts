import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshStream } from '../support/fresh-stream.js';
import { StreamHarness } from '../support/stream-harness.js';

/**
 * A start checks the last records of a few streams, however many there are; the others are checked after it, or on use.
 */
const STREAMS = 700;
const idOf = (n: number) => `s${String(n).padStart(4, '0')}`;
/** Bypasses our own opener, whose cached statements would hold the file's lock. */
const Database = createRequire(import.meta.url)('libsql') as new (
  path: string,
) => { exec(sql: string): void; close(): void };
let harness: StreamHarness;

beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 1_000 });
  const data = new TextEncoder().encode('whole');
  const { store } = harness.host;
  await Promise.all(
    Array.from({ length: STREAMS }, (_, n) => store.create(freshStream(idOf(n), { data, life: idOf(n) }))),
  );
});
afterEach(() => harness.stop());

/** Called while no process has the file open. */
async function tear(...numbers: readonly number[]): Promise<void> {
  await harness.whileClosed(() => {
    const database = new Database(join(harness.folder, 'sonde.db'));
    for (const n of numbers)
      database.exec(`UPDATE chunks SET data = CAST('##' AS BLOB) WHERE stream_id = '${idOf(n)}'`);
    database.close();
  });
}

test('torn records are found at the start or soon after it, and still known at every later start', async () => {
  await tear(3, 650);
  expect(harness.host.unchecked.after).toBe(idOf(499));
  expect(harness.host.damaged).toEqual([{ id: idOf(3), life: idOf(3) }]);
  await expect.poll(() => [...harness.service.damaged].sort()).toEqual([idOf(3), idOf(650)]);
  await harness.restart();
  expect(harness.host.damaged.map(({ id }) => id).sort()).toEqual([idOf(3), idOf(650)]);
});

test('nothing is appended after a torn record, even before its stream was checked', async () => {
  await tear(650);
  const text = { headers: { 'Content-Type': 'text/plain' }, body: 'more' };
  expect(await harness.ask('append', idOf(650), text)).toMatchObject({ status: 500, code: 'STREAM_CORRUPT' });
  expect((await harness.ask('append', idOf(651), text)).status).toBe(204);
});
