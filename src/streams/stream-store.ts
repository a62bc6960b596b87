/**
 * The port behind which streams are kept. It is per stream: no operation touches two, so one stream can live
 * in one object at the edge. Every operation is atomic and durable when its promise resolves; what several
 * streams need together (forks, subscriptions, cold segments) is done above, in steps that may be repeated.
 */
import type { Position } from './offset.js';

export interface StreamStore {
  /** Inserts unless the stream exists; an existing one comes back as it is, whatever its state. */
  create(stream: NewStream): Promise<Creation>;
  get(id: string): Promise<StreamState | undefined>;
  /** Decided and written in one step (`decide-append.ts`), so two writers cannot both be right. */
  append(id: string, input: AppendInput): Promise<AppendOutcome>;
  /** Chunks that this stream itself holds, from `from` to `until` inclusive, in order; never the open one. */
  chunks(id: string, from: number, until: number): Promise<readonly ChunkRow[]>;
  /** Bytes `[lo, hi)` of a chunk that is still hot. */
  readHot(id: string, span: ChunkSpan): Promise<HotBytes>;
  /**
   * The chunk's bytes now rest in a cold segment; its hot rows go. Repeating it changes nothing. False: `hash` is not the
   * stream's, which so is another one of the same name by now, and keeps what it has.
   */
  markCold(id: string, chunk: number, hash: string): Promise<boolean>;
  /** Sealed chunks whose bytes are still hot, of any stream. */
  unsealed(limit: number): Promise<readonly { readonly id: string; readonly chunk: number }[]>;
  touch(id: string, accessedAt: number): Promise<void>;
  /** From now on the stream is gone for callers and kept for its forks. */
  softDelete(id: string): Promise<void>;
  /** Removes every trace. The chunks that were cold are named, so that their segments can go too. */
  remove(id: string): Promise<{ readonly cold: readonly number[] }>;
  addFork(id: string, forkId: string): Promise<void>;
  /** Gives the number of forks left. */
  removeFork(id: string, forkId: string): Promise<number>;
  forks(id: string): Promise<readonly string[]>;
  /** Ids of streams whose time is over. */
  expired(now: number, limit: number): Promise<readonly string[]>;
  /** Streams in id order, for scans. */
  list(after: string, limit: number): Promise<readonly StreamState[]>;
  /** From this position on the stream's bytes are not what was written. Moves to an earlier place, never to a later one. */
  markCorrupt(id: string, from: Position): Promise<void>;
}

/** A stream this one was forked from, and up to where its bytes are shared. */
export interface Ancestor {
  readonly id: string;
  readonly hash: string;
  readonly until: Position;
}

export interface StreamState {
  readonly id: string;
  readonly hash: string;
  readonly contentType: string;
  readonly tail: Position;
  readonly totalBytes: number;
  readonly writeUnits: number;
  readonly createdAt: number;
  readonly accessedAt: number;
  readonly ttlSeconds: number | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
  readonly closed: boolean;
  /** Whether it was created closed: part of what a repeated create must match. */
  readonly createdClosed: boolean;
  readonly closedBy: ProducerTuple | null;
  readonly lastSeq: string | null;
  readonly deleted: boolean;
  /** From the root down; empty for a stream that is no fork. */
  readonly ancestors: readonly Ancestor[];
  readonly corruptFrom: Position | null;
  /** Facts that belong to whoever made the stream (the proxy keeps its upstream's here), as JSON. */
  readonly metadata: string | null;
}

export type Creation =
  | { readonly created: boolean; readonly state: StreamState }
  /** As many streams are open as may be. */
  | { readonly created: false; readonly state: null };

export interface NewStream {
  readonly id: string;
  readonly hash: string;
  readonly contentType: string;
  readonly createdAt: number;
  readonly ttlSeconds: number | null;
  readonly expiresAt: number | null;
  readonly closed: boolean;
  readonly start: Position;
  /** Bytes inherited from ancestors. */
  readonly inheritedBytes: number;
  readonly ancestors: readonly Ancestor[];
  readonly metadata: string | null;
  readonly data: Uint8Array | null;
  /** How many streams of this store may be open at once. */
  readonly openMax: number;
}

export interface ProducerTuple {
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface AppendInput {
  /** In stored form; null for a close alone. */
  readonly data: Uint8Array | null;
  /** Its essence (`media-type.ts`); null where it does not matter. */
  readonly contentType: string | null;
  readonly seq: string | null;
  readonly producer: ProducerTuple | null;
  readonly close: boolean;
  readonly now: number;
  readonly bytesMax: number;
  /** Replaces the stream's metadata, in the same step. */
  readonly metadata?: string;
  /** How many bytes the stream must hold, where a writer has several appends under way: none may follow a gap. */
  readonly after?: number;
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      readonly from: Position;
      readonly state: StreamState;
      /** Chunks this append filled. */
      readonly sealed: boolean;
    }
  | { readonly kind: 'duplicate'; readonly state: StreamState; readonly highestSeq: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: AppendRefusal; readonly state: StreamState };

export type AppendRefusal =
  | { readonly rule: 'deleted' | 'expired' | 'corrupt' | 'closed' | 'content_type' | 'stream_size' | 'gap' }
  | { readonly rule: 'seq'; readonly last: string }
  | { readonly rule: 'stale_epoch'; readonly epoch: number }
  | { readonly rule: 'epoch_start' }
  | { readonly rule: 'producer_gap'; readonly expected: number };

export interface ChunkRow {
  readonly chunk: number;
  /** Where this stream's own bytes begin in the chunk; 0 but in a fork's first. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the whole stream before position 0 of this chunk. */
  readonly base: number;
  readonly cold: boolean;
}

export interface ChunkSpan {
  readonly chunk: number;
  readonly lo: number;
  readonly hi: number;
}

export interface HotBytes {
  /** Contiguous from `lo`; shorter than asked where a record is corrupt. */
  readonly bytes: Uint8Array;
  /** Positions in the chunk at which the records in `bytes` end. */
  readonly ends: readonly number[];
  /** Where the first record begins whose checksum does not match. */
  readonly corruptAt: number | null;
}
