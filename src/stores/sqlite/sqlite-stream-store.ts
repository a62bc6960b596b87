/**
 * The stream store over SQLite: plain synchronous code, to be hosted where it may block. Rows of streams in
 * use are kept in memory. A plain append writes its record alone: the stream's row may lag behind its records,
 * and is rolled forward over them when it is read again. Whatever records cannot tell (a closure, a sequence, a
 * sealed chunk, a time to live) is written with the row, when the host calls `flush` inside the transaction.
 * A host that undoes a transaction must call `forget`, because the memory would then be ahead of the disk.
 */
import {
  type AppendInput,
  type AppendOutcome,
  CHUNK_BYTES,
  type ChunkRow,
  type ChunkSpan,
  type Creation,
  comparePositions,
  decideAppend,
  type HotBytes,
  type NewStream,
  type Position,
  type ProducerTuple,
  type StreamState,
  writeUnitsOf,
} from '../../streams/index.js';
import { HotReader } from './hot-reader.js';
import { insertRecord, removeHotChunk, removeHotRows } from './hot-writer.js';
import { prepareSchema } from './prepare-schema.js';
import { DATA, goesOn } from './record-rows.js';
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js';
import { expiresText, type StreamRow, stateOf } from './stream-row.js';
import { STREAM_SCHEMA } from './stream-schema.js';

const ROWS_KEPT = 10_000;
/** How many records a row may lag behind: what a first look after a restart has to walk over. */
const LAG_MAX = 256;

export class SqliteStreamStore {
  readonly #database: SqlDatabase;
  readonly #rows = new Map<string, StreamRow>();
  readonly #chunkBytes: number;
  /** Streams whose row must be written in this transaction. */
  readonly #unwritten = new Set<string>();
  /** By how many records a stream's row lags behind. */
  readonly #lag = new Map<string, number>();
  /** Streams that are neither closed nor deleted; counted when it is first asked for. */
  #open: number | undefined;

  constructor(database: SqlDatabase, options: { readonly chunkBytes?: number } = {}) {
    this.#database = database;
    this.#chunkBytes = options.chunkBytes ?? CHUNK_BYTES;
    prepareSchema(database, STREAM_SCHEMA);
  }

  /** Drops what is kept in memory; the next operation reads the disk. */
  forget(): void {
    this.#rows.clear();
    this.#unwritten.clear();
    this.#lag.clear();
    this.#open = undefined;
  }

  /** Writes the rows that have to be. To be called before the transaction of the appends ends. */
  flush(): void {
    for (const id of this.#unwritten) {
      const row = this.#rows.get(id);
      if (row) this.#database.run(UPDATE_TAIL, tailOf(row));
      this.#lag.delete(id);
    }
    this.#unwritten.clear();
  }

  /**
   * Verifies the last record of every open stream: what a crash would have torn. Damage is recorded. Names all
   * damaged streams, also those that were found in an earlier life.
   */
  verifyTails(): readonly string[] {
    const rows = this.#database.all(
      'SELECT * FROM streams WHERE closed = 0 OR corrupt_chunk IS NOT NULL',
      [],
    );
    const damaged: string[] = [];
    for (const row of rows.map((each) => this.#rolledForward(stateOf(each)))) {
      const from = row.corruptFrom ?? this.#damageAtTail(row);
      if (!from) continue;
      this.markCorrupt(row.id, from);
      damaged.push(row.id);
    }
    return damaged;
  }

  #damageAtTail({ id, tail, chunkStart }: StreamRow): Position | null {
    const { chunk, position } = tail;
    if (position === chunkStart) return null;
    const { corruptAt } = this.readHot(id, { chunk, lo: position - 1, hi: position });
    return corruptAt === null ? null : { chunk, position: corruptAt };
  }

  create(stream: NewStream): Creation {
    const existing = this.#row(stream.id);
    if (existing) return { created: false, state: existing };
    if (this.#countOpen() >= stream.openMax) return { created: false, state: null };
    this.#opened(1);
    const { start } = stream;
    this.#database.run(INSERT_STREAM, [
      stream.id,
      stream.hash,
      stream.contentType,
      start.chunk,
      start.position,
      start.position,
      stream.inheritedBytes,
      0,
      stream.createdAt,
      stream.createdAt,
      stream.ttlSeconds,
      expiresText(stream.expiresAt),
      0,
      stream.closed ? 1 : 0,
      0,
      JSON.stringify(stream.ancestors),
      stream.metadata,
    ]);
    const row = this.#row(stream.id);
    if (!row) throw new Error('a stream that was just inserted is not there');
    if (!stream.data && !stream.closed) return { created: true, state: row };
    return { created: true, state: this.#write(row, { data: stream.data, close: stream.closed }).row };
  }

  get(id: string): StreamState | undefined {
    return this.#row(id);
  }

  append(id: string, input: AppendInput): AppendOutcome {
    const row = this.#row(id);
    if (!row) return { kind: 'missing' };
    const known = input.producer ? this.#producer(id, input.producer.id) : undefined;
    const decision = decideAppend(row, input, known);
    if (decision.kind === 'refuse') return { kind: 'refused', why: decision.why, state: row };
    if (decision.kind === 'duplicate')
      return { kind: 'duplicate', state: row, highestSeq: decision.highestSeq };
    if (input.producer) this.#saveProducer(id, input.producer);
    const written = this.#write(row, input);
    return { kind: 'appended', from: row.tail, state: written.row, sealed: written.sealed };
  }

  chunks(id: string, from: number, until: number): readonly ChunkRow[] {
    return this.#database.all(SELECT_CHUNKS, [id, from, until]).map(chunkOf);
  }

  readHot(id: string, span: ChunkSpan): HotBytes {
    return new HotReader(this.#database, id, span).read();
  }

  markCold(id: string, chunk: number, hash: string): boolean {
    if (this.#row(id)?.hash !== hash) return false;
    this.#database.run('UPDATE sealed_chunks SET cold = 1 WHERE stream_id = ? AND chunk_seq = ?', [
      id,
      chunk,
    ]);
    removeHotChunk(this.#database, id, chunk);
    return true;
  }

  unsealed(limit: number): readonly { id: string; chunk: number }[] {
    const rows = this.#database.all('SELECT stream_id, chunk_seq FROM sealed_chunks WHERE cold = 0 LIMIT ?', [
      limit,
    ]);
    return rows.map((row) => ({ id: String(row['stream_id']), chunk: Number(row['chunk_seq']) }));
  }

  touch(id: string, accessedAt: number): void {
    const row = this.#row(id);
    if (!row || row.accessedAt >= accessedAt) return;
    this.#database.run('UPDATE streams SET accessed_at = ? WHERE stream_id = ?', [accessedAt, id]);
    this.#keep({ ...row, accessedAt });
  }

  softDelete(id: string): void {
    this.flush();
    this.#gone(id);
    this.#database.run('UPDATE streams SET deleted = 1 WHERE stream_id = ?', [id]);
    this.#rows.delete(id);
  }

  remove(id: string): { cold: readonly number[] } {
    const rows = this.#database.all('SELECT chunk_seq FROM sealed_chunks WHERE stream_id = ? AND cold = 1', [
      id,
    ]);
    this.#gone(id);
    removeHotRows(this.#database, id);
    for (const table of ['sealed_chunks', 'producers', 'stream_forks', 'streams']) {
      this.#database.run(`DELETE FROM ${table} WHERE stream_id = ?`, [id]);
    }
    this.#rows.delete(id);
    this.#unwritten.delete(id);
    this.#lag.delete(id);
    return { cold: rows.map((row) => Number(row['chunk_seq'])) };
  }

  addFork(id: string, forkId: string): void {
    this.#database.run('INSERT OR IGNORE INTO stream_forks (stream_id, fork_id) VALUES (?, ?)', [id, forkId]);
  }

  removeFork(id: string, forkId: string): number {
    this.#database.run('DELETE FROM stream_forks WHERE stream_id = ? AND fork_id = ?', [id, forkId]);
    return this.forks(id).length;
  }

  forks(id: string): readonly string[] {
    return this.#database
      .all('SELECT fork_id FROM stream_forks WHERE stream_id = ?', [id])
      .map((row) => String(row['fork_id']));
  }

  expired(now: number, limit: number): readonly string[] {
    this.flush();
    return this.#database
      .all(SELECT_EXPIRED, [now, new Date(now).toISOString(), limit])
      .map((row) => String(row['stream_id']));
  }

  list(after: string, limit: number): readonly StreamState[] {
    this.flush();
    return this.#database
      .all('SELECT * FROM streams WHERE stream_id > ? ORDER BY stream_id LIMIT ?', [after, limit])
      .map((row) => this.#rolledForward(stateOf(row)));
  }

  markCorrupt(id: string, from: Position): void {
    const row = this.#row(id);
    if (!row || (row.corruptFrom && comparePositions(row.corruptFrom, from) <= 0)) return;
    this.#database.run('UPDATE streams SET corrupt_chunk = ?, corrupt_position = ? WHERE stream_id = ?', [
      from.chunk,
      from.position,
      id,
    ]);
    this.#keep({ ...row, corruptFrom: from });
  }

  #countOpen(): number {
    this.#open ??= Number(this.#database.all(COUNT_OPEN, [])[0]?.['open']);
    return this.#open;
  }

  #opened(more: 1 | -1): void {
    if (this.#open !== undefined) this.#open += more;
  }

  #gone(id: string): void {
    const row = this.#row(id);
    if (row && !row.closed && !row.deleted) this.#opened(-1);
  }

  #row(id: string): StreamRow | undefined {
    const kept = this.#rows.get(id);
    if (kept) return kept;
    const [row] = this.#database.all('SELECT * FROM streams WHERE stream_id = ?', [id]);
    return row && this.#keep(this.#rolledForward(stateOf(row)));
  }

  /** The row with the records that were written after it. */
  #rolledForward(row: StreamRow): StreamRow {
    const { chunk, position: from } = row.tail;
    let { totalBytes, writeUnits } = row;
    let position = from;
    let recordBytes = 0;
    for (const part of this.#database.all(SELECT_LATER, [row.id, chunk, from])) {
      // Records of one chunk leave no gap; one that does is not of this life of the stream.
      if (part['position'] !== position)
        return { ...row, corruptFrom: row.corruptFrom ?? { chunk, position } };
      const bytes = Number(part['bytes']);
      position += bytes;
      totalBytes += bytes;
      recordBytes += bytes;
      if (goesOn(part)) continue;
      writeUnits += writeUnitsOf(recordBytes);
      recordBytes = 0;
    }
    return position === from ? row : { ...row, tail: { chunk, position }, totalBytes, writeUnits };
  }

  #keep(row: StreamRow): StreamRow {
    if (this.#rows.size >= ROWS_KEPT && !this.#rows.has(row.id)) {
      const [oldest] = this.#rows.keys();
      if (oldest !== undefined && this.#unwritten.has(oldest)) this.flush();
      if (oldest !== undefined) {
        this.#rows.delete(oldest);
        this.#lag.delete(oldest);
      }
    }
    this.#rows.set(row.id, row);
    return row;
  }

  /** The record, the chunk's end if it is full now, and the stream's row: one transaction of the host's. */
  #write(
    row: StreamRow,
    { data, close, ...rest }: Pick<AppendInput, 'data' | 'close'> & Partial<AppendInput>,
  ): { row: StreamRow; sealed: boolean } {
    if (close && !row.closed) this.#opened(-1);
    const { chunk, position } = row.tail;
    if (data) insertRecord(this.#database, row, data);
    const end = position + (data?.length ?? 0);
    const totalBytes = row.totalBytes + (data?.length ?? 0);
    const sealed = data !== null && end >= this.#chunkBytes;
    if (sealed) this.#database.run(INSERT_SEALED, [row.id, chunk, row.chunkStart, end, totalBytes - end]);
    const next: StreamRow = {
      ...row,
      tail: sealed ? { chunk: chunk + 1, position: 0 } : { chunk, position: end },
      chunkStart: sealed ? 0 : row.chunkStart,
      totalBytes,
      writeUnits: row.writeUnits + (data ? writeUnitsOf(data.length) : 0),
      accessedAt: rest.now ?? row.accessedAt,
      closed: row.closed || close,
      closedBy: close && rest.producer ? rest.producer : row.closedBy,
      lastSeq: rest.seq ?? row.lastSeq,
      metadata: rest.metadata ?? row.metadata,
      createdClosed: row.createdClosed,
    };
    this.#lagBehind(next, sealed || close || rest.seq != null || rest.metadata !== undefined);
    return { row: this.#keep(next), sealed };
  }

  /** `told`: there is something to write that the record does not say. */
  #lagBehind({ id, ttlSeconds }: StreamRow, told: boolean): void {
    const lag = (this.#lag.get(id) ?? 0) + 1;
    if (told || ttlSeconds !== null || lag >= LAG_MAX) this.#unwritten.add(id);
    else this.#lag.set(id, lag);
  }

  #producer(id: string, producerId: string): ProducerTuple | undefined {
    const [row] = this.#database.all(
      'SELECT epoch, seq FROM producers WHERE stream_id = ? AND producer_id = ?',
      [id, producerId],
    );
    return row && { id: producerId, epoch: Number(row['epoch']), seq: Number(row['seq']) };
  }

  #saveProducer(id: string, { id: producerId, epoch, seq }: ProducerTuple): void {
    this.#database.run(UPSERT_PRODUCER, [id, producerId, epoch, seq]);
  }
}

function tailOf(row: StreamRow): SqlValue[] {
  return [
    row.tail.chunk,
    row.tail.position,
    row.chunkStart,
    row.totalBytes,
    row.writeUnits,
    row.accessedAt,
    row.closed ? 1 : 0,
    row.closedBy ? JSON.stringify(row.closedBy) : null,
    row.lastSeq,
    row.metadata,
    row.id,
  ];
}

function chunkOf(row: SqlRow): ChunkRow {
  return {
    chunk: Number(row['chunk_seq']),
    start: Number(row['start_position']),
    end: Number(row['end_position']),
    base: Number(row['base_bytes']),
    cold: row['cold'] === 1,
  };
}

const INSERT_STREAM = `INSERT INTO streams (
  stream_id, stream_hash, content_type, current_chunk_seq, chunk_bytes, chunk_start, total_bytes, write_units,
  created_at, accessed_at, ttl_seconds, stream_expires_at, closed, created_closed, deleted, ancestors, metadata
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const COUNT_OPEN = 'SELECT count(*) AS open FROM streams WHERE closed = 0 AND deleted = 0';

const UPDATE_TAIL = `UPDATE streams SET
  current_chunk_seq = ?, chunk_bytes = ?, chunk_start = ?, total_bytes = ?, write_units = ?, accessed_at = ?,
  closed = ?, closed_by = ?, last_seq = ?, metadata = ?
WHERE stream_id = ?`;

const INSERT_SEALED = `INSERT INTO sealed_chunks
  (stream_id, chunk_seq, start_position, end_position, base_bytes, cold) VALUES (?, ?, ?, ?, ?, 0)`;

const SELECT_CHUNKS = `SELECT * FROM sealed_chunks
  WHERE stream_id = ? AND chunk_seq BETWEEN ? AND ? ORDER BY chunk_seq`;

const SELECT_LATER = `SELECT position, checksum, length(${DATA}) AS bytes FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position >= ? ORDER BY position`;

const SELECT_EXPIRED = `SELECT stream_id FROM streams
  WHERE deleted = 0 AND (accessed_at + ttl_seconds * 1000 <= ? OR stream_expires_at <= ?) LIMIT ?`;

const UPSERT_PRODUCER = `INSERT INTO producers (stream_id, producer_id, epoch, seq) VALUES (?, ?, ?, ?)
  ON CONFLICT (stream_id, producer_id) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq`;
