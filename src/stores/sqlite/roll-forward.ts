/** Brings a stream's row up to date with later records, because a plain append writes only its record. */
import { writeUnitsOf } from '../../streams/index.js';
import { numberOrNull } from '../portable/sql-work.js';
import { continues } from './record-rows.js';
import type { SqlDatabase } from './sql-database.js';
import type { StreamRow } from './stream-row.js';
import { SELECT_LATER } from './stream-statements.js';

export function rollForward(database: SqlDatabase, row: StreamRow): StreamRow {
  const { chunk, position: from } = row.tail;
  let { totalBytes, writeUnits, appendedAt } = row;
  let position = from;
  let recordBytes = 0;
  for (const part of database.all(SELECT_LATER, [row.life, chunk, from])) {
    // The records of a chunk have no gaps.
    if (part['position'] !== position) return { ...row, corruptFrom: row.corruptFrom ?? { chunk, position } };
    const bytes = Number(part['bytes']);
    position += bytes;
    totalBytes += bytes;
    recordBytes += bytes;
    appendedAt = numberOrNull(part['arrived_at']);
    if (continues(part)) continue;
    writeUnits += writeUnitsOf(recordBytes);
    recordBytes = 0;
  }
  return { ...row, tail: { chunk, position }, totalBytes, writeUnits, appendedAt };
}
