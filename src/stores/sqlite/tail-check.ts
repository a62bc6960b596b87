/** Verifies the last record of a stream, which a crash may have torn. Damage is recorded in the stream's row. */
import type { StreamKey } from '../../streams/index.js';
import { HotReader } from './hot-reader.js';
import { rollForward } from './roll-forward.js';
import type { SqlDatabase } from './sql-database.js';
import { type StreamRow, stateOf } from './stream-row.js';
import { MARK_CORRUPT, SELECT_DAMAGED, SELECT_PAGE } from './stream-statements.js';

/** The result for one page of streams, in id order. */
export interface CheckedTails {
  /** Includes streams that an earlier check found. */
  readonly damaged: readonly StreamKey[];
  /** The id after which the next page begins; null at the end. */
  readonly next: string | null;
}

export function checkTails(database: SqlDatabase, after: string, limit: number): CheckedTails {
  const rows = database.all(SELECT_PAGE, [after, limit]);
  const damaged = rows
    .filter((row) => row['closed'] === 0 || row['corrupt_chunk'] !== null)
    .map((row) => checkTail(database, rollForward(database, stateOf(row))))
    .filter(({ corruptFrom }) => corruptFrom !== null)
    .map(({ id, life }) => ({ id, life }));
  return { damaged, next: rows.length < limit ? null : String(rows.at(-1)?.['stream_id']) };
}

/** Returns the row, marked if the check found damage. */
export function checkTail(database: SqlDatabase, row: StreamRow): StreamRow {
  const { id, life, closed, chunkStart, corruptFrom } = row;
  const { chunk, position } = row.tail;
  if (corruptFrom || closed || position === chunkStart) return row;
  const { corruptAt } = new HotReader(database, life, { chunk, lo: position - 1, hi: position }).read();
  if (corruptAt === null) return row;
  database.run(MARK_CORRUPT, [chunk, corruptAt, id]);
  return { ...row, corruptFrom: { chunk, position: corruptAt } };
}

/** Streams that are marked as damaged. */
export function damagedStreams(database: SqlDatabase): readonly StreamKey[] {
  return database
    .all(SELECT_DAMAGED, [])
    .map((row) => ({ id: String(row['stream_id']), life: String(row['life']) }));
}
