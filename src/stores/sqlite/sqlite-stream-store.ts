/**
 * The stream store over SQLite: synchronous code for a thread that may block. Rows of streams in use are cached in
 * memory. A plain append writes only its record. So a stream's row may lag behind its records, and is rolled forward
 * over them when it is read again. Changes that records do not show (a closure, a sequence, a sealed chunk, a time to
 * live) are written with the row when the host calls `flush` inside the transaction. A host that rolls a transaction
 * back must call `forget`, because the cache is then ahead of the disk.
 *
 * An id has one row at a time, so a call that names a life reads the row of its id and checks the life.
 */

import {
  type AnnouncedFork,
  type AppendInput,
  type AppendOutcome,
  type Arrival,
  CHUNK_BYTES,
  type ChunkRow,
  type ChunkSpan,
  type Creation,
  comparePositions,
  decideAppend,
  type ExpiredStreams,
  type HotBytes,
  type NewStream,
  type Position,
  type ProducerTuple,
  type Removal,
  type StreamKey,
  type StreamListPage,
  type StreamListQuery,
  type StreamState,
  type UnsealedChunk,
} from '../../streams/index.js';
import { expiredStreams } from './expiring-streams.js';
import { HotReader } from './hot-reader.js';
import { removeHotChunk, removeHotRows } from './hot-writer.js';
import { insertStream, newRow } from './insert-stream.js';
import type { LooseData, StagedRecord } from './loose-data.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import { rollForward } from './roll-forward.js';
import { skipChunks } from './skip-chunks.js';
import type { SqlDatabase } from './sql-database.js';
import { StreamLists } from './stream-lists.js';
import { clearDamage, cutOff, giveUpChunk } from './stream-repair.js';
import { chunkOf, endingOf, forkOf, type StreamRow, stateOf, tailOf, unsealedOf } from './stream-row.js';
import { STREAM_SCHEMA } from './stream-schema.js';
import * as sql from './stream-statements.js';
import { ownBytes, StreamTotals } from './stream-totals.js';
import { type CheckedTails, checkTail, checkTails, damagedStreams } from './tail-check.js';
import { type WrittenAppend, type WrittenRecord, writeRecord } from './write-record.js';

const ROWS_KEPT = 10_000;
/** How many records a row may lag behind; the first read after a restart rolls forward over this many. */
const LAG_MAX = 256;

export interface StreamStoreOptions {
  readonly chunkBytes?: number;
  /** For a host that creates some tables later, or does not need some indexes. */
  readonly schema?: Schema;
  /** Holds data that no record refers to; absent if the store has only one stream. */
  readonly loose?: LooseData;
  /** False if another part lists and counts the streams; then no totals are stored. */
  readonly listed?: boolean;
}

const NO_BYTES = new Uint8Array(0);

export class SqliteStreamStore {
  readonly #database: SqlDatabase;
  readonly #rows = new Map<string, StreamRow>();
  readonly #chunkBytes: number;
  readonly #lists: StreamLists;
  /** Streams whose row must be written in this transaction. */
  readonly #unwritten = new Set<string>();
  /** Those among them whose closure or metadata has changed too. */
  readonly #ended = new Set<string>();
  /** How many records a stream's row lags behind. */
  readonly #lag = new Map<string, number>();
  readonly #totals: StreamTotals;
  readonly #loose: LooseData | undefined;
  /** While false, a stream's tail is checked when the stream is first read. */
  #allTailsChecked = false;

  constructor(
    database: SqlDatabase,
    { chunkBytes = CHUNK_BYTES, schema = STREAM_SCHEMA, listed = true, loose }: StreamStoreOptions = {},
  ) {
    this.#database = database;
    this.#chunkBytes = chunkBytes;
    this.#loose = loose;
    this.#totals = new StreamTotals(database, listed);
    this.#lists = new StreamLists(database, 'streams');
    prepareSchema(database, schema);
  }

  /** Clears the cache; the next operation reads the disk. */
  forget(): void {
    this.#rows.clear();
    this.#unwritten.clear();
    this.#ended.clear();
    this.#lag.clear();
    this.#totals.forget();
  }

  /** Writes the rows that must be written. Call it before the transaction of the appends ends. */
  flush(): void {
    for (const id of this.#unwritten) {
      const row = this.#rows.get(id);
      if (row && this.#ended.has(id)) this.#database.run(sql.UPDATE_END, endingOf(row));
      else if (row) this.#database.run(sql.UPDATE_TAIL, tailOf(row));
      this.#lag.delete(id);
    }
    this.#unwritten.clear();
    this.#ended.clear();
    this.#totals.flush();
  }

  /**
   * Checks the last records of a page of streams, which a crash may have torn. A stream that is used before its page is
   * checked on first use, so no record is ever appended after a torn one.
   */
  checkTails(after: string, limit: number): CheckedTails {
    this.flush();
    const page = checkTails(this.#database, after, limit);
    for (const { id } of page.damaged) this.#rows.delete(id);
    if (page.next === null) this.#allTailsChecked = true;
    return page;
  }

  /** The streams that are marked as damaged. */
  damagedStreams(): readonly StreamKey[] {
    return damagedStreams(this.#database);
  }

  /** For a store that lost writes: every open stream continues in an unused chunk. Returns the number of streams. */
  skipChunks(): number {
    const streams = skipChunks(this.#database);
    this.forget();
    return streams;
  }

  /** For changes of many rows past the cache. */
  changeRows(change: () => void): void {
    this.flush();
    change();
    this.forget();
  }

  /** The number of open streams of all tenants. */
  openCount(): number {
    return Number(this.#database.all(sql.SUM_OPEN, [])[0]?.['n']);
  }

  /** Stored bytes by tenant. Read it once at start; later changes follow from writes and removals. */
  storedBytes(): readonly (readonly [tenant: string, bytes: number])[] {
    this.flush();
    return this.#totals.bytes();
  }

  /** `staged` replaces the stream's initial `data`. */
  create(stream: NewStream, staged?: StagedRecord): Creation {
    const creation = this.#create(stream, staged ?? stream.data);
    if (staged) this.#loose?.[creation.created ? 'use' : 'release'](staged);
    return creation;
  }

  #create(stream: NewStream, data: Uint8Array | StagedRecord | null): Creation {
    const existing = this.#row(stream.id);
    if (existing) return { created: false, state: existing };
    if (this.#totals.openOf(stream.id) >= stream.openMax) return { created: false, state: null };
    const { closed: close, createdAt: now, usedAt = now, collection } = stream;
    const { row } = this.#record(newRow(stream), { data, close, now, usedAt });
    if (!close) this.#totals.addOpen(row.id, 1);
    insertStream(this.#database, row, collection);
    return { created: true, state: this.#keep(row) };
  }

  get(id: string): StreamState | undefined {
    return this.#row(id);
  }

  /** `staged` replaces the input's `data`. */
  append(id: string, input: AppendInput, staged?: StagedRecord): AppendOutcome {
    if (!staged) return this.#append(id, input, input.data);
    // The rules only need to know that there is data, and its length.
    const judged = { ...input, data: NO_BYTES, bytesMax: input.bytesMax - staged.length };
    const outcome = this.#append(id, judged, staged);
    this.#loose?.[outcome.kind === 'appended' ? 'use' : 'release'](staged);
    return outcome;
  }

  #append(id: string, input: AppendInput, data: Uint8Array | StagedRecord | null): AppendOutcome {
    const row = input.life === undefined ? this.#row(id) : this.#rowOf({ id, life: input.life });
    if (!row) return { kind: 'missing' };
    const { producer } = input;
    const known = producer ? this.#producer(row.life, producer.id) : undefined;
    const decision = decideAppend(row, input, known);
    if (decision.kind === 'refuse') return { kind: 'refused', why: decision.why, state: row };
    if (decision.kind === 'duplicate')
      return { kind: 'duplicate', state: row, highestSeq: decision.highestSeq };
    if (producer) {
      this.#database.run(sql.UPSERT_PRODUCER, [row.life, producer.id, producer.epoch, producer.seq]);
    }
    const written = this.#write(row, { ...input, data });
    return { kind: 'appended', from: row.tail, state: written.row, sealed: written.sealed };
  }

  /** The last sequence number of an idempotent producer. */
  #producer(life: string, id: string): ProducerTuple | undefined {
    const [row] = this.#database.all(sql.SELECT_PRODUCER, [life, id]);
    return row && { id, epoch: Number(row['epoch']), seq: Number(row['seq']) };
  }

  chunks({ life }: StreamKey, from: number, until: number): readonly ChunkRow[] {
    return this.#database.all(sql.SELECT_CHUNKS, [life, from, until]).map(chunkOf);
  }

  readHot(stream: StreamKey, span: ChunkSpan): HotBytes | 'cold' | 'removed' {
    if (!this.#rowOf(stream)) return 'removed';
    const hot = new HotReader(this.#database, stream.life, span).read();
    if (hot.corruptAt === null) return hot;
    return this.chunks(stream, span.chunk, span.chunk)[0]?.cold ? 'cold' : hot;
  }

  arrivals(stream: StreamKey, span: ChunkSpan, max: number): readonly Arrival[] | 'cold' | 'removed' {
    if (!this.#rowOf(stream)) return 'removed';
    if (this.chunks(stream, span.chunk, span.chunk)[0]?.cold) return 'cold';
    return new HotReader(this.#database, stream.life, span).arrivals(max);
  }

  markCold(stream: StreamKey, chunk: number): boolean {
    if (!this.#rowOf(stream)) return false;
    this.#database.run(sql.MARK_COLD, [stream.life, chunk]);
    removeHotChunk(this.#hot, { life: stream.life, chunk });
    return true;
  }

  unsealed(limit: number): readonly UnsealedChunk[] {
    return this.#database.all(sql.SELECT_UNSEALED, [limit]).map(unsealedOf);
  }

  touch(stream: StreamKey, accessedAt: number): void {
    const row = this.#rowOf(stream);
    if (!row || row.accessedAt >= accessedAt) return;
    this.#database.run('UPDATE streams SET accessed_at = ? WHERE stream_id = ?', [accessedAt, row.id]);
    this.#keep({ ...row, accessedAt });
  }

  remove(stream: StreamKey): Removal | undefined {
    const row = this.#rowOf(stream);
    if (!row) return undefined;
    const wasDeleted = row.deleted;
    if (!row.closed && !wasDeleted) this.#totals.addOpen(row.id, -1);
    if (this.forks(stream).length === 0) {
      const bytes = ownBytes(this.#database, row);
      this.#totals.addBytes(row.tenant, -bytes);
      return { wasDeleted, kept: false, cold: this.#removeRows(row), bytes };
    }
    this.flush();
    this.#database.run(sql.MARK_DELETED, [row.id]);
    this.#rows.delete(row.id);
    return { wasDeleted, kept: true, cold: [], bytes: 0 };
  }

  /** Returns the chunks whose segments must be removed too. */
  #removeRows({ id, life }: StreamKey): readonly number[] {
    const cold = this.#database.all(sql.SELECT_COLD, [life]).map((row) => Number(row['chunk_seq']));
    removeHotRows(this.#hot, life);
    this.#database.run('DELETE FROM sealed_chunks WHERE stream_id = ?', [life]);
    this.#database.run('DELETE FROM stream_forks WHERE stream_id = ?', [life]);
    this.#database.run('DELETE FROM streams WHERE stream_id = ?', [id]);
    this.#rows.delete(id);
    this.#unwritten.delete(id);
    this.#ended.delete(id);
    this.#lag.delete(id);
    return cold;
  }

  addFork(source: StreamKey, fork: AnnouncedFork): boolean {
    const row = this.#rowOf(source);
    if (!row || row.deleted) return false;
    this.#database.run(sql.INSERT_FORK, [source.life, fork.life, fork.id, fork.announcedAt]);
    return true;
  }

  removeFork(source: StreamKey, fork: StreamKey): number {
    this.#database.run(sql.DELETE_FORK, [source.life, fork.life]);
    return this.forks(source).length;
  }

  forks({ life }: StreamKey): readonly AnnouncedFork[] {
    return this.#database.all('SELECT * FROM stream_forks WHERE stream_id = ?', [life]).map(forkOf);
  }

  expired(now: number, limit: number): ExpiredStreams {
    this.flush();
    return expiredStreams(this.#database, now, limit);
  }

  softDeleted(after: string, limit: number): readonly StreamState[] {
    return this.#database.all(sql.SELECT_SOFT_DELETED, [after, limit]).map(stateOf);
  }

  listPage(query: StreamListQuery): StreamListPage {
    return this.#lists.page(
      query,
      (row) => this.#rows.get(String(row['stream_id'])) ?? rollForward(this.#database, stateOf(row)),
    );
  }

  list(after: string, limit: number): readonly StreamState[] {
    this.flush();
    const rows = this.#database.all(sql.SELECT_PAGE, [after, limit]);
    return rows.map((row) => rollForward(this.#database, stateOf(row)));
  }

  markCorrupt(stream: StreamKey, from: Position): void {
    const row = this.#rowOf(stream);
    if (!row || (row.corruptFrom && comparePositions(row.corruptFrom, from) <= 0)) return;
    this.#database.run(sql.MARK_CORRUPT, [from.chunk, from.position, row.id]);
    this.#keep({ ...row, corruptFrom: from });
  }

  clearDamage(stream: StreamKey): void {
    this.#repair(stream, (row) => clearDamage(this.#database, row));
  }

  giveUpChunk(stream: StreamKey, chunk: number): void {
    this.#repair(stream, (row) => giveUpChunk(this.#database, row, chunk));
  }

  cutOff(stream: StreamKey, from: Position): void {
    this.#repair(stream, (row) => cutOff(this.#database, row, from));
  }

  /** Clears the cache, because a repair makes it out of date. */
  #repair(stream: StreamKey, work: (row: StreamRow) => void): void {
    this.flush();
    const row = this.#rowOf(stream);
    const before = row ? ownBytes(this.#database, row) : 0;
    if (row) work(row);
    this.forget();
    const after = this.#rowOf(stream);
    if (after) this.#totals.addBytes(after.tenant, ownBytes(this.#database, after) - before);
  }

  get #hot() {
    return { database: this.#database, loose: this.#loose };
  }

  #row(id: string): StreamRow | undefined {
    const kept = this.#rows.get(id);
    if (kept) return kept;
    const [row] = this.#database.all('SELECT * FROM streams WHERE stream_id = ?', [id]);
    if (!row) return undefined;
    const state = rollForward(this.#database, stateOf(row));
    return this.#keep(this.#allTailsChecked ? state : checkTail(this.#database, state));
  }

  /** Returns undefined if the id now belongs to another life. */
  #rowOf({ id, life }: StreamKey): StreamRow | undefined {
    const row = this.#row(id);
    return row?.life === life ? row : undefined;
  }

  #keep(row: StreamRow): StreamRow {
    if (this.#rows.size >= ROWS_KEPT && !this.#rows.has(row.id)) {
      const [oldest = ''] = this.#rows.keys();
      if (this.#unwritten.has(oldest)) this.flush();
      this.#rows.delete(oldest);
      this.#lag.delete(oldest);
    }
    this.#rows.set(row.id, row);
    return row;
  }

  /** Writes the record, seals the chunk if it is full, and updates the row, in the host's transaction. */
  #write(row: StreamRow, append: WrittenAppend): WrittenRecord {
    if (append.close && !row.closed) this.#totals.addOpen(row.id, -1);
    const { row: next, sealed } = this.#record(row, append);
    const hasEnded = append.close || append.metadata !== undefined;
    const lag = (this.#lag.get(row.id) ?? 0) + 1;
    if (hasEnded) this.#ended.add(row.id);
    // Records do not show these changes.
    const mustWrite = hasEnded || sealed || next.lastSeq !== row.lastSeq || row.ttlSeconds !== null;
    if (mustWrite || lag >= LAG_MAX) this.#unwritten.add(row.id);
    else this.#lag.set(row.id, lag);
    return { row: this.#keep(next), sealed };
  }

  #record(row: StreamRow, append: WrittenAppend): WrittenRecord {
    this.#totals.addBytes(row.tenant, append.data?.length ?? 0);
    return writeRecord({ database: this.#database, chunkBytes: this.#chunkBytes }, row, append);
  }
}
