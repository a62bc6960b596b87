import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { type ChunkSpan, checksum } from '../../streams/index.js';
import { HotReader } from './hot-reader.js';
import { prepareSchema } from './prepare-schema.js';
import { complementOf } from './record-rows.js';
import type { SqlDatabase } from './sql-database.js';
import { STREAM_SCHEMA } from './stream-schema.js';

/** Each record is a list of the texts of its rows. */
const RECORDS = [['a', 'bc'], ['def'], ['gh', 'i', 'jk'], ['l'], ['mn', 'o']];
const TEXT = RECORDS.flat().join('');

interface Row {
  readonly position: number;
  /** Where its record begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

const ROWS: Row[] = [];
for (const parts of RECORDS) {
  const start = ROWS.at(-1)?.end ?? 0;
  const end = start + parts.join('').length;
  let position = start;
  for (const part of parts) {
    ROWS.push({ position, start, end, at: 1_000 + start });
    position += part.length;
  }
}
const LAST_START = ROWS.at(-1)?.start ?? 0;
const LIFE = 'this life';
const CHUNK = 4;

/** A chunk with the records, between chunks and lives that have another record for each byte. */
function open(): SqlDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  prepareSchema(database, STREAM_SCHEMA);
  const insert = (row: Pick<Row, 'position' | 'at'>, text: string, key = { life: LIFE, chunk: CHUNK }) => {
    const data = new TextEncoder().encode(text);
    const continues = ROWS.some(
      ({ start, position }) => start < position && position === row.position + text.length,
    );
    const isOwn = key.life === LIFE && key.chunk === CHUNK;
    const stored = continues && isOwn ? complementOf(checksum(data)) : checksum(data);
    database.run(
      `INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data)
        VALUES (?, ?, ?, ?, ?, ?)`,
      [key.life, key.chunk, row.position, stored, row.at, data],
    );
  };
  for (const [index, row] of ROWS.entries()) {
    insert(row, TEXT.slice(row.position, ROWS[index + 1]?.position ?? TEXT.length));
  }
  for (const [life, chunk] of [
    [LIFE, CHUNK - 1],
    [LIFE, CHUNK + 1],
    ['that life', CHUNK],
    ['the other life', CHUNK],
  ] as const) {
    for (const position of TEXT.toUpperCase().split('').keys())
      insert({ position, at: 7 }, 'X', { life, chunk });
  }
  return database;
}

const read = (database: SqlDatabase, span: Omit<ChunkSpan, 'chunk'>) => {
  const { bytes, ends, corruptAt } = new HotReader(database, LIFE, { chunk: CHUNK, ...span }).read();
  return { text: new TextDecoder().decode(bytes), ends, corruptAt };
};

/** All spans of the chunk, also empty ones. */
const SPANS = Array.from({ length: TEXT.length + 1 }, (_, lo) =>
  Array.from({ length: TEXT.length + 1 - lo }, (_each, length) => ({ lo, hi: lo + length })),
).flat();

const recordEnds = (lo: number, hi: number) =>
  [...new Set(ROWS.map(({ end }) => end))].filter((end) => end > lo && end <= hi);

const beginOf = (lo: number) => ROWS.findLast(({ position }) => position <= lo)?.start ?? LAST_START;

test('reads any span, and the end of the span is the end of its last record', () => {
  const database = open();
  for (const { lo, hi } of SPANS) {
    const ends = lo === hi ? [] : [...recordEnds(lo, hi - 1), hi];
    expect([lo, hi, read(database, { lo, hi })]).toEqual([
      lo,
      hi,
      { text: TEXT.slice(lo, hi), ends, corruptAt: null },
    ]);
  }
});

/** What a read returns if the row at this position is damaged. */
function damagedRead({ position, start }: Row, { lo, hi }: { lo: number; hi: number }) {
  if (position < beginOf(lo) || position >= hi) return undefined;
  return { text: TEXT.slice(lo, Math.max(lo, start)), ends: recordEnds(lo, start), corruptAt: start };
}

test.each([
  ['changed', 'UPDATE chunks SET data = zeroblob(length(data))'],
  ['empty', "UPDATE chunks SET data = ''"],
  ['missing', 'DELETE FROM chunks'],
])('a row that is %s damages its record for every span that reads it, and nothing before', (what, sql) => {
  for (const row of ROWS) {
    // A read cannot know of a row that is missing at the beginning of what it looks at.
    if (what === 'missing' && row.position === row.start) continue;
    const database = open();
    database.run(`${sql} WHERE stream_id = ? AND chunk_seq = ? AND position = ?`, [
      LIFE,
      CHUNK,
      row.position,
    ]);
    for (const span of SPANS) {
      const expected = damagedRead(row, span);
      if (!expected || span.lo >= row.position) continue;
      expect([row.position, span, read(database, span)]).toEqual([row.position, span, expected]);
    }
  }
});

test('a damaged row is noticed by every span that begins in a later row of its record', () => {
  for (const row of ROWS) {
    const database = open();
    const key = [LIFE, CHUNK, row.position];
    database.run(
      'UPDATE chunks SET data = zeroblob(9) WHERE stream_id = ? AND chunk_seq = ? AND position = ?',
      key,
    );
    for (const span of SPANS.filter(({ lo }) => lo >= row.position && lo < row.end)) {
      expect([span, read(database, span).corruptAt]).toEqual([
        span,
        damagedRead(row, span)?.corruptAt ?? null,
      ]);
    }
  }
});

test('a part of a record is read from its own row on, without those before', () => {
  const database = open();
  const lo = TEXT.indexOf('j');
  database.run('UPDATE chunks SET data = zeroblob(2) WHERE stream_id = ? AND position = ?', [LIFE, lo - 3]);
  expect(read(database, { lo, hi: lo + 1, isPart: true })).toMatchObject({ text: 'j', corruptAt: null });
  expect(read(database, { lo: lo + 1, hi: lo + 2, isPart: true })).toMatchObject({ text: 'k' });
  expect(read(database, { lo, hi: lo + 1 })).toMatchObject({ text: '', corruptAt: lo - 3 });
});

test('a chunk that ends too early is damaged behind its last whole record, and takes no more memory', () => {
  const database = open();
  const past = (lo: number, hi: number) => {
    const found = new HotReader(database, LIFE, { chunk: CHUNK, lo, hi }).read();
    return [found.bytes.length, found.bytes.buffer.byteLength, found.corruptAt];
  };
  expect(past(2, 5_000)).toEqual([TEXT.length - 2, TEXT.length - 2, TEXT.length]);
  expect(past(TEXT.length + 3, 5_000)).toEqual([0, 0, TEXT.length]);
  database.run('DELETE FROM chunks WHERE position = ?', [TEXT.length - 1]);
  expect(past(0, TEXT.length)).toEqual([LAST_START, TEXT.length - 1, LAST_START]);
  database.run('DELETE FROM chunks', []);
  expect(past(5, 5_000)).toEqual([0, 0, 5]);
});

const arrivalsIn = (lo: number, hi: number) =>
  ROWS.filter(({ position, start, end }) => position === start && end > lo && start < hi).map(
    ({ start, end, at }) => ({ start: Math.max(start, lo), end: Math.min(end, hi), at }),
  );

test('each record of a span has one arrival, clipped to the span, up to the limit', () => {
  const database = open();
  for (const { lo, hi } of SPANS.filter((span) => span.lo < span.hi)) {
    const reader = new HotReader(database, LIFE, { chunk: CHUNK, lo, hi });
    const wanted = arrivalsIn(lo, hi);
    expect([lo, hi, reader.arrivals(99)]).toEqual([lo, hi, wanted]);
    for (const max of [1, 2]) expect([lo, hi, reader.arrivals(max)]).toEqual([lo, hi, wanted.slice(0, max)]);
  }
});

test('arrivals read a bounded number of rows', () => {
  const database = open();
  const limits: unknown[] = [];
  const watched: SqlDatabase = {
    ...database,
    all(sql, params) {
      if (sql.includes('arrived_at')) limits.push(params.at(-1));
      return database.all(sql, params);
    },
  };
  new HotReader(watched, LIFE, { chunk: CHUNK, lo: 0, hi: 3 }).arrivals(7);
  expect(limits).toEqual([1_007]);
});
