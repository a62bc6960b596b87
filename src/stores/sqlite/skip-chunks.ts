/**
 * Ends the chunk of every open stream where it is now, and goes on far behind it. For a store that lost its last
 * writes: readers may hold offsets of bytes that are gone, and those must never name other bytes. Recovery is the one
 * exception to the rule that chunk boundaries depend on the appends alone.
 */
import { rollForward } from './roll-forward.js';
import type { SqlDatabase } from './sql-database.js';
import { stateOf, tailOf } from './stream-row.js';
import { INSERT_SEALED, SELECT_OPEN, UPDATE_TAIL } from './stream-statements.js';

/** More chunks than a write-ahead log can hold: each of them would have had to be filled in it. */
const CHUNKS_SKIPPED = 10_000;

/** Returns the number of streams. What is kept of their rows in memory is out of date then. */
export function skipChunks(database: SqlDatabase): number {
  const rows = database.all(SELECT_OPEN, []).map((row) => rollForward(database, stateOf(row)));
  for (const row of rows) {
    const { life, id, tail, chunkStart, totalBytes } = row;
    const base = totalBytes - tail.position;
    database.run(INSERT_SEALED, [life, tail.chunk, chunkStart, tail.position, base, id]);
    const next = { chunk: tail.chunk + CHUNKS_SKIPPED, position: 0 };
    database.run(UPDATE_TAIL, tailOf({ ...row, tail: next, chunkStart: 0 }));
  }
  return rows.length;
}
