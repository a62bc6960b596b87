import { expect, onTestFinished, test } from 'vitest';
import { freshStream, keyFor } from '../../../test/support/fresh-stream.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { newRow } from './insert-stream.js';
import { prepareSchema } from './prepare-schema.js';
import type { StreamRow } from './stream-row.js';
import { STREAM_SCHEMA } from './stream-schema.js';
import { type WrittenAppend, writeRecord } from './write-record.js';

/** A stream that goes on in the middle of a chunk of ten bytes. */
const ROW: StreamRow = {
  ...newRow(freshStream('a', { start: { chunk: 2, position: 3 }, inheritedBytes: 23 })),
  ...{ appendedAt: 1, lastSeq: 's1', metadata: 'm1' },
};
const PRODUCER = { id: 'p', epoch: 0, seq: 0 };

function write(bytes: number | null, change: Partial<WrittenAppend> = {}, row = ROW) {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  prepareSchema(database, STREAM_SCHEMA);
  const data = bytes === null ? null : new Uint8Array(bytes);
  const written = writeRecord({ database, chunkBytes: 10 }, row, { data, close: false, now: 9, ...change });
  return { ...written, chunks: database.all('SELECT * FROM sealed_chunks', []) };
}

test('a record that leaves room moves the tail', () => {
  expect(write(6)).toEqual({
    ...{ sealed: false, chunks: [] },
    row: {
      ...ROW,
      ...{ tail: { chunk: 2, position: 9 }, totalBytes: 29, writeUnits: 1, accessedAt: 9, appendedAt: 9 },
    },
  });
});

test.each([7, 30])('a record of %d bytes fills the chunk, and the stream goes on in the next', (bytes) => {
  const { row, sealed, chunks } = write(bytes);
  expect([sealed, row.tail, row.chunkStart]).toEqual([true, { chunk: 3, position: 0 }, 0]);
  expect(chunks).toEqual([
    {
      ...{ stream_id: keyFor('a').life, owner_id: 'a', chunk_seq: 2, cold: 0 },
      ...{ start_position: 3, end_position: 3 + bytes, base_bytes: 20 },
    },
  ]);
});

test('a write without data changes neither the tail nor the time of the last record', () => {
  const full = { ...ROW, tail: { chunk: 2, position: 10 } };
  const { row, sealed } = write(null, { close: true }, full);
  expect([sealed, row]).toEqual([false, { ...full, accessedAt: 9, closed: true }]);
});

test.each([
  [true, PRODUCER, PRODUCER],
  [true, null, null],
  [false, PRODUCER, null],
])('a record that closes (%j) by a producer (%j) is closed by %j', (close, producer, closedBy) => {
  expect(write(1, { close, producer }).row).toMatchObject({ closed: close, closedBy });
});

test('what an append does not change stays', () => {
  const closed = { ...ROW, closed: true, closedBy: PRODUCER };
  expect(write(1, {}, closed).row).toMatchObject({
    closed: true,
    closedBy: PRODUCER,
    lastSeq: 's1',
    metadata: 'm1',
  });
  expect(write(1, { seq: 's2', metadata: 'm2' }).row).toMatchObject({ lastSeq: 's2', metadata: 'm2' });
});
