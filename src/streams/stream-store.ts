/**
 * The port for stream storage. No operation touches two streams, so each stream can live in its own object at the
 * edge. Every operation is atomic, and durable when its promise resolves. Work that spans streams (forks,
 * subscriptions, cold segments) happens above this port, in steps that may be repeated.
 *
 * A create starts a life, which has its own immutable id. Only `get` and a caller's append use the stream's id alone;
 * every other operation names a life and has no effect on a later life of the same stream id.
 */
import type { Position } from './offset.js';

export interface StreamStore {
  /** Inserts the stream unless it exists. An existing one is returned unchanged, whatever its state. */
  create(stream: NewStream): Promise<Creation>;
  get(id: string): Promise<StreamState | undefined>;
  /** Decides (`decide-append.ts`) and writes in one transaction, so two conflicting appends cannot both succeed. */
  append(id: string, input: AppendInput): Promise<AppendOutcome>;
  /** The sealed chunks of this stream itself, from `from` to `until` inclusive, in order. */
  chunks(stream: StreamKey, from: number, until: number): Promise<readonly ChunkRow[]>;
  /**
   * Bytes `[lo, hi)` of a chunk that is still hot, or a prefix of them up to the end of a record. Returns 'cold' or
   * 'removed' if the rows are missing for that reason, which is not damage.
   */
  readHot(stream: StreamKey, span: ChunkSpan): Promise<HotBytes | 'cold' | 'removed'>;
  /** When the records of the span arrived, in order, at most `max` of them; otherwise like `readHot`. */
  arrivals(stream: StreamKey, span: ChunkSpan, max: number): Promise<readonly Arrival[] | 'cold' | 'removed'>;
  /**
   * Records that the chunk's bytes are in a cold segment, and deletes its hot rows. Idempotent. Returns false if the
   * stream was removed.
   */
  markCold(stream: StreamKey, chunk: number): Promise<boolean>;
  /** Full chunks of any stream whose bytes are still hot. */
  unsealed(limit: number): Promise<readonly UnsealedChunk[]>;
  touch(stream: StreamKey, accessedAt: number): Promise<void>;
  /** Removes the stream, or only marks it as deleted while it has forks. Undefined if it was already removed. */
  remove(stream: StreamKey): Promise<Removal | undefined>;
  /** Announces a fork that is about to be created. False if the source was deleted. */
  addFork(source: StreamKey, fork: AnnouncedFork): Promise<boolean>;
  /** Returns the number of forks left. */
  removeFork(source: StreamKey, fork: StreamKey): Promise<number>;
  forks(source: StreamKey): Promise<readonly AnnouncedFork[]>;
  /** Checks at most `limit` streams that may have expired. */
  expired(now: number, limit: number): Promise<ExpiredStreams>;
  /** Streams that are kept only for their forks, in id order. */
  softDeleted(after: string, limit: number): Promise<readonly StreamState[]>;
  /** One page of collections, without deleted streams. */
  listPage(query: StreamListQuery): Promise<StreamListPage>;
  /** Streams in id order, for scans. */
  list(after: string, limit: number): Promise<readonly StreamState[]>;
  /** Marks the stream's bytes as damaged from this position on. The mark moves only to earlier positions. */
  markCorrupt(stream: StreamKey, from: Position): Promise<void>;
}

/** One life of a stream: the id that callers use, and the immutable id of the life. */
export interface StreamKey {
  readonly id: string;
  readonly life: string;
}

export interface Removal {
  /** Whether it was already marked as deleted. */
  readonly wasDeleted: boolean;
  /** Whether it is kept for its forks, though gone for callers. */
  readonly kept: boolean;
  /** Chunks whose segments must be removed too. */
  readonly cold: readonly number[];
  /** How many of its own bytes were removed; 0 while it is kept. */
  readonly bytes: number;
}

export interface ExpiredStreams {
  readonly ids: readonly string[];
  /** How many streams were checked; 0 if none was due. */
  readonly looked: number;
}

export interface UnsealedChunk {
  readonly stream: StreamKey;
  readonly chunk: number;
}

export interface AnnouncedFork extends StreamKey {
  /** Milliseconds since the epoch. */
  readonly announcedAt: number;
}

/** A stream this one was forked from, and up to where its bytes are shared. */
export interface Ancestor extends StreamKey {
  readonly hash: string;
  readonly until: Position;
}

export interface StreamState extends StreamKey {
  readonly hash: string;
  readonly contentType: string;
  readonly tail: Position;
  readonly totalBytes: number;
  readonly writeUnits: number;
  readonly createdAt: number;
  /** By the clock of lifetimes, like `expiresAt`. */
  readonly accessedAt: number;
  /** When its last record arrived; null if it has none, or only records from before arrivals were stored. */
  readonly appendedAt: number | null;
  readonly ttlSeconds: number | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
  readonly closed: boolean;
  /** Whether it was created closed, which a repeated create must match. */
  readonly createdClosed: boolean;
  readonly closedBy: ProducerTuple | null;
  readonly lastSeq: string | null;
  readonly deleted: boolean;
  /** From the root down; empty for a stream that is not a fork. */
  readonly ancestors: readonly Ancestor[];
  readonly corruptFrom: Position | null;
  /** JSON from the stream's creator, such as the proxy's data about its upstream. May contain the `tenant`. */
  readonly metadata: string | null;
}

export type Creation =
  | { readonly created: boolean; readonly state: StreamState }
  /** `openMax` is reached. */
  | { readonly created: false; readonly state: null };

export interface NewStream
  extends StreamKey,
    Pick<StreamState, 'hash' | 'contentType' | 'createdAt' | 'ttlSeconds' | 'expiresAt'>,
    Pick<StreamState, 'closed' | 'ancestors' | 'metadata'> {
  /** `createdAt` by the clock of lifetimes, if that differs. */
  readonly usedAt?: number;
  readonly start: Position;
  /** Bytes inherited from ancestors. */
  readonly inheritedBytes: number;
  readonly data: Uint8Array | null;
  /** The list that it appears in: `stream/{tenant}` or `proxy/{tenant}`. */
  readonly collection: string;
  /** The maximum number of open streams in this store. */
  readonly openMax: number;
}

export interface ProducerTuple {
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface AppendInput {
  /** In stored form; null for a close without data. */
  readonly data: Uint8Array | null;
  /** The essence (`media-type.ts`); null to skip the check. */
  readonly contentType: string | null;
  readonly seq: string | null;
  readonly producer: ProducerTuple | null;
  readonly close: boolean;
  readonly now: number;
  /** `now` by the clock of lifetimes, if that differs. */
  readonly usedAt?: number;
  readonly bytesMax: number;
  /** The expected life; any life if absent. */
  readonly life?: string;
  /** Replaces the stream's metadata, in the same transaction. */
  readonly metadata?: string;
  /** The number of bytes that the stream must have. Prevents gaps when a writer has several appends in flight. */
  readonly after?: number;
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      readonly from: Position;
      readonly state: StreamState;
      /** Whether this append filled a chunk. */
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
  /** Where this stream's own bytes begin in the chunk: 0, except in the first chunk of a fork. */
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
  /** Skips verifying the rest of a long record in which the span begins, because another call reads it. */
  readonly isPart?: boolean;
}

/** One record, clipped to the requested span. */
export interface Arrival {
  /** Positions in the chunk. */
  readonly start: number;
  readonly end: number;
  /** Milliseconds since the epoch; null for records from before arrivals were stored. */
  readonly at: number | null;
}

export interface StreamListQuery {
  readonly collections: readonly string[];
  readonly closed?: boolean;
  /** `outcome` of the metadata. */
  readonly outcome?: string;
  /** A prefix of ids. With it the list is in id order, otherwise newest first. */
  readonly idPrefix?: string;
  readonly id?: string;
  /** The hundreds of `upstream_status` of the metadata, or null for responses without one. */
  readonly statusClass?: number | null;
  /** `route` of the metadata. */
  readonly route?: string;
  /** In lower case; a substring of the id after its collection, or of the metadata's `upstream_url` or `route`. */
  readonly text?: string;
  readonly after?: StreamListPosition;
  readonly limit: number;
}

/** The last stream that a page has examined. */
export interface StreamListPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface StreamListPage {
  /** Can be fewer than `limit`, because a page examines a bounded number of streams. */
  readonly streams: readonly ListedStream[];
  /** Null at the end of the list. */
  readonly next: StreamListPosition | null;
}

export type ListedStream = Omit<
  StreamState,
  'life' | 'writeUnits' | 'createdClosed' | 'closedBy' | 'lastSeq' | 'deleted' | 'ancestors'
>;

export interface HotBytes {
  /** Contiguous from `lo`; shorter than requested if a record is corrupt. */
  readonly bytes: Uint8Array;
  /** Positions in the chunk at which the records in `bytes` end. */
  readonly ends: readonly number[];
  /** Where the first record begins whose checksum does not match. */
  readonly corruptAt: number | null;
}
