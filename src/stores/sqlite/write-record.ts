/** Writes a record, and seals its chunk if that is now full. The caller writes the stream's row. */
import { type AppendInput, writeUnitsOf } from '../../streams/index.js';
import { insertRecord } from './hot-writer.js';
import type { StagedRecord } from './loose-data.js';
import type { SqlDatabase } from './sql-database.js';
import type { StreamRow } from './stream-row.js';
import { INSERT_SEALED } from './stream-statements.js';

export type WrittenAppend = Pick<AppendInput, 'close' | 'now'> &
  Partial<Omit<AppendInput, 'data'>> & { readonly data: Uint8Array | StagedRecord | null };

export interface WrittenRecord {
  /** The row after the append. */
  readonly row: StreamRow;
  /** Whether the append filled the chunk. */
  readonly sealed: boolean;
}

export function writeRecord(
  { database, chunkBytes }: { readonly database: SqlDatabase; readonly chunkBytes: number },
  row: StreamRow,
  append: WrittenAppend,
): WrittenRecord {
  const { data, close, now, usedAt = now, producer, seq, metadata } = append;
  const { chunk, position } = row.tail;
  if (data) insertRecord(database, row, { data, arrivedAt: now });
  const bytes = data?.length ?? 0;
  const end = position + bytes;
  const totalBytes = row.totalBytes + bytes;
  const sealed = data !== null && end >= chunkBytes;
  if (sealed) database.run(INSERT_SEALED, [row.life, chunk, row.chunkStart, end, totalBytes - end, row.id]);
  const after = {
    ...row,
    tail: sealed ? { chunk: chunk + 1, position: 0 } : { chunk, position: end },
    chunkStart: sealed ? 0 : row.chunkStart,
    totalBytes,
    writeUnits: row.writeUnits + writeUnitsOf(bytes),
    accessedAt: usedAt,
    appendedAt: data ? now : row.appendedAt,
    closed: row.closed || close,
    closedBy: close && producer ? producer : row.closedBy,
    lastSeq: seq ?? row.lastSeq,
    metadata: metadata ?? row.metadata,
  };
  return { row: after, sealed };
}
