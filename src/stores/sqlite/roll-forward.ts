/** A stream's row with the records that were written after it: a plain append writes its record alone. */
import { writeUnitsOf } from '../../streams/index.js';
import { numberOrNull } from '../portable/sql-work.js';
import { goesOn } from './record-rows.js';
import type { SqlDatabase } from './sql-database.js';
import type { StreamRow } from './stream-row.js';
import { SELECT_LATER } from './stream-statements.js';

export function rollForward(database: SqlDatabase, row: StreamRow): StreamRow {
  const { chunk, position: from } = row.tail;
  let { totalBytes, writeUnits, appendedAt } = row;
  let position = from;
  let recordBytes = 0;
  for (const part of database.all(SELECT_LATER, [row.life, chunk, from])) {
    // Records of one chunk leave no gap.
    if (part['position'] !== position) return { ...row, corruptFrom: row.corruptFrom ?? { chunk, position } };
    const bytes = Number(part['bytes']);
    position += bytes;
    totalBytes += bytes;
    recordBytes += bytes;
    appendedAt = numberOrNull(part['arrived_at']);
    if (goesOn(part)) continue;
    writeUnits += writeUnitsOf(recordBytes);
    recordBytes = 0;
  }
  if (position === from) return row;
  return { ...row, tail: { chunk, position }, totalBytes, writeUnits, appendedAt };
}
