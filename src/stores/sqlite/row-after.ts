/** A stream's row after an append. */
import { type AppendInput, writeUnitsOf } from '../../streams/index.js';
import type { StagedRecord } from './loose-data.js';
import type { StreamRow } from './stream-row.js';

export type WrittenAppend = Pick<AppendInput, 'close' | 'now'> &
  Partial<Omit<AppendInput, 'data'>> & { readonly data: Uint8Array | StagedRecord | null };

export interface ChunkEnd {
  /** Whether the append filled the chunk. */
  readonly sealed: boolean;
  /** Where the record ends in its chunk. */
  readonly end: number;
  readonly totalBytes: number;
}

export function rowAfter(
  row: StreamRow,
  { data, close, now, producer, seq, metadata }: WrittenAppend,
  { sealed, end, totalBytes }: ChunkEnd,
): StreamRow {
  const { chunk } = row.tail;
  return {
    ...row,
    tail: sealed ? { chunk: chunk + 1, position: 0 } : { chunk, position: end },
    chunkStart: sealed ? 0 : row.chunkStart,
    totalBytes,
    writeUnits: row.writeUnits + writeUnitsOf(data?.length ?? 0),
    accessedAt: now,
    appendedAt: data ? now : row.appendedAt,
    closed: row.closed || close,
    closedBy: close && producer ? producer : row.closedBy,
    lastSeq: seq ?? row.lastSeq,
    metadata: metadata ?? row.metadata,
    createdClosed: row.createdClosed,
  };
}
