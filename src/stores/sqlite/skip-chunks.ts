/**
 * Ends the current chunk of every open stream and continues at a much higher chunk number. This is for a store that
 * lost its last writes: readers may have offsets of lost bytes, and those offsets must never refer to other bytes.
 * Recovery is the only exception to the rule that chunk boundaries depend only on the appends.
 */
import { rollForward } from './roll-forward.js';
import type { SqlDatabase } from './sql-database.js';
import { type StreamRow, stateOf, tailOf } from './stream-row.js';
import { INSERT_SEALED, SELECT_PAGE, UPDATE_TAIL } from './stream-statements.js';

/** More chunks than can be lost, because the write-ahead log would have to contain all of them. */
const CHUNKS_SKIPPED = 10_000;

const PAGE = 500;

/** Returns the number of changed streams. Cached rows are out of date after this. */
export function skipChunks(database: SqlDatabase): number {
  let skipped = 0;
  for (let after = ''; ; ) {
    const page = database.all(SELECT_PAGE, [after, PAGE]);
    for (const row of page.map(stateOf)) {
      if (row.closed || row.deleted || row.corruptFrom) continue;
      skipChunk(database, rollForward(database, row));
      skipped++;
    }
    if (page.length < PAGE) return skipped;
    after = String(page.at(-1)?.['stream_id']);
  }
}

function skipChunk(database: SqlDatabase, row: StreamRow): void {
  const { life, id, tail, chunkStart, totalBytes } = row;
  const base = totalBytes - tail.position;
  database.run(INSERT_SEALED, [life, tail.chunk, chunkStart, tail.position, base, id]);
  const next = { chunk: tail.chunk + CHUNKS_SKIPPED, position: 0 };
  database.run(UPDATE_TAIL, tailOf({ ...row, tail: next, chunkStart: 0 }));
}
