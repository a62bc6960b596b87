/**
 * Ends the chunk of every open stream where it is now, and continues far beyond it. For a store that lost its last
 * writes: readers may hold offsets of bytes that are gone, and those must never name other bytes. Recovery is the one
 * exception to the rule that chunk boundaries depend on the appends alone.
 */
import { rollForward } from './roll-forward.js';
import type { SqlDatabase } from './sql-database.js';
import { type StreamRow, stateOf, tailOf } from './stream-row.js';
import { INSERT_SEALED, SELECT_PAGE, UPDATE_TAIL } from './stream-statements.js';

/** More chunks than a write-ahead log can hold: each of them would have had to be filled in it. */
const CHUNKS_SKIPPED = 10_000;

const PAGE = 500;

/** Returns the number of streams. What is kept of their rows in memory is out of date then. */
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
