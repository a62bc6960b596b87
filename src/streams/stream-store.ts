/**
 * The port behind which streams are kept. It is per stream: no operation touches two, so one stream can live
 * in one object at the edge. Every operation is atomic and durable when its promise resolves; what several
 * streams need together (forks, subscriptions, cold segments) is done above, in steps that may be repeated.
 *
 * A create starts a life: an immutable id of its own. Only `get` and a caller's append go by the stream's id alone;
 * everything else names the life it is about and has no effect on a later life of the same id.
 */
import type { Position } from './offset.js';

export interface StreamStore {
  /** Inserts unless the stream exists; an existing one comes back as it is, whatever its state. */
  create(stream: NewStream): Promise<Creation>;
  /** The stream that has this id now. */
  get(id: string): Promise<StreamState | undefined>;
  /** Decided and written in one step (`decide-append.ts`), so two writers cannot both be right. */
  append(id: string, input: AppendInput): Promise<AppendOutcome>;
  /** Chunks that this stream itself holds, from `from` to `until` inclusive, in order; never the open one. */
  chunks(stream: StreamKey, from: number, until: number): Promise<readonly ChunkRow[]>;
  /**
   * Bytes `[lo, hi)` of a chunk that is still hot, or the first of them, up to the end of a record. Where the chunk has gone
   * cold, or the stream was removed, that is the result: its rows are missing and not damaged.
   */
  readHot(stream: StreamKey, span: ChunkSpan): Promise<HotBytes | 'cold' | 'removed'>;
  /** When the records of the span arrived, in order and at most `max` of them; otherwise as `readHot`. */
  arrivals(stream: StreamKey, span: ChunkSpan, max: number): Promise<readonly Arrival[] | 'cold' | 'removed'>;
  /**
   * The chunk's bytes now rest in a cold segment; its hot rows go. Repeating it changes nothing. False if the stream was
   * removed.
   */
  markCold(stream: StreamKey, chunk: number): Promise<boolean>;
  /** Sealed chunks whose bytes are still hot, of any stream. */
  unsealed(limit: number): Promise<readonly UnsealedChunk[]>;
  touch(stream: StreamKey, accessedAt: number): Promise<void>;
  /** Removes every trace, or only marks the stream as deleted while it has forks. Undefined if it was removed before. */
  remove(stream: StreamKey): Promise<Removal | undefined>;
  /** Announces a fork that is about to be created. False if the source was deleted. */
  addFork(source: StreamKey, fork: AnnouncedFork): Promise<boolean>;
  /** Returns the number of forks left. */
  removeFork(source: StreamKey, fork: StreamKey): Promise<number>;
  forks(source: StreamKey): Promise<readonly AnnouncedFork[]>;
  /** Looks at no more than `limit` streams that may have expired. */
  expired(now: number, limit: number): Promise<ExpiredStreams>;
  /** Streams that are kept only for their forks, in id order. */
  softDeleted(after: string, limit: number): Promise<readonly StreamState[]>;
  /** One page of collections, as callers see them: without what was deleted. */
  listPage(query: StreamListQuery): Promise<StreamListPage>;
  /** Streams in id order, for scans. */
  list(after: string, limit: number): Promise<readonly StreamState[]>;
  /** From this position on the stream's bytes are not what was written. Moves to an earlier place, never to a later one. */
  markCorrupt(stream: StreamKey, from: Position): Promise<void>;
}

/** One life of a stream: the id that callers use, and the immutable id that its create made. */
export interface StreamKey {
  readonly id: string;
  readonly life: string;
}

export interface Removal {
  /** It was marked as deleted before. */
  readonly wasDeleted: boolean;
  /** Gone for callers, but kept for its forks. */
  readonly kept: boolean;
  /** Chunks whose segments must go too. */
  readonly cold: readonly number[];
  /** How many bytes of its own went; 0 while it is kept. */
  readonly bytes: number;
}

export interface ExpiredStreams {
  /** Of streams whose time is over. */
  readonly ids: readonly string[];
  /** How many streams were looked at; 0 if no stream is due for a look. */
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
  readonly accessedAt: number;
  /** When its last record arrived; null if it has none, or only records from before arrivals were stored. */
  readonly appendedAt: number | null;
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
  /** Metadata of the stream's creator, as JSON; the proxy stores data about its upstream here. `tenant` is the tenant. */
  readonly metadata: string | null;
}

export type Creation =
  | { readonly created: boolean; readonly state: StreamState }
  /** As many streams are open as may be. */
  | { readonly created: false; readonly state: null };

export interface NewStream extends StreamKey {
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
  /** What lists it: `stream/{tenant}` or `proxy/{tenant}`. */
  readonly collection: string;
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
  /** The life that is meant; without it, whichever has the id. */
  readonly life?: string;
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
  /** The rest of a long record in which the span begins need not be verified: it is read too, by another call. */
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
  /** What ids begin with. The order is that of ids then, else the newest stream comes first. */
  readonly idPrefix?: string;
  /** Only this stream. */
  readonly id?: string;
  /** Lower case; part of the id below its collection, or of the metadata's `upstream_url` or `route`. */
  readonly text?: string;
  readonly after?: StreamListPosition;
  readonly limit: number;
}

/** The last stream that a page has looked at. */
export interface StreamListPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface StreamListPage {
  /** Fewer than `limit` where a page has looked at as many streams as it may. */
  readonly streams: readonly ListedStream[];
  /** Null at the end of the list. */
  readonly next: StreamListPosition | null;
}

export type ListedStream = Pick<
  StreamState,
  | 'id'
  | 'hash'
  | 'contentType'
  | 'tail'
  | 'totalBytes'
  | 'createdAt'
  | 'accessedAt'
  | 'appendedAt'
  | 'ttlSeconds'
  | 'expiresAt'
  | 'closed'
  | 'corruptFrom'
  | 'metadata'
>;

export interface HotBytes {
  /** Contiguous from `lo`; shorter than asked where a record is corrupt. */
  readonly bytes: Uint8Array;
  /** Positions in the chunk at which the records in `bytes` end. */
  readonly ends: readonly number[];
  /** Where the first record begins whose checksum does not match. */
  readonly corruptAt: number | null;
}
