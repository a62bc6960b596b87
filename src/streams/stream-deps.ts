/** The dependencies and limits that all stream operations share. */
import type { Log } from '../log.js';
import type { Turn } from '../loop-turns.js';
import type { LifetimeClock } from './lifetime-clock.js';
import type { LiveTails } from './live-tails.js';
import type { ObjectStore } from './object-store.js';
import type { Position } from './offset.js';
import type { Sealer } from './sealer.js';
import type { StreamKey, StreamState, StreamStore } from './stream-store.js';
import type { ReadTenantLimits } from './tenant-limits.js';
import type { StoredBytes } from './tenant-shares.js';
import type { Ticker } from './ticker.js';

export interface StreamLimits {
  /** Bytes of one stream: `STREAM_TOO_LARGE`. */
  readonly streamBytesMax: number;
  /** Streams of one tenant that are not closed, unless its quota says otherwise: `TOO_MANY_STREAMS`. */
  readonly openStreams: number;
  /** Live readers of one stream: `TOO_MANY_READERS`. */
  readonly readersPerStream: number;
  /** Live readers of the streams of one tenant, unless its quota says otherwise: `TOO_MANY_READERS`. */
  readonly liveReaders: number;
  /** Bytes stored for one tenant, unless its quota says otherwise: `QUOTA_EXCEEDED`. */
  readonly storedBytes: number;
  /** Bytes of one catch-up response; a longer read continues at `Stream-Next-Offset`. */
  readonly readBytes: number;
  /** Bytes buffered for a slow live reader before it is disconnected; it resumes from its last offset. */
  readonly bufferedBytes: number;
  readonly longPollMs: number;
  /** The maximum duration of one live response; its reader resumes from its last offset. */
  readonly sseMs: number;
  /** Full chunks are sealed once no chunk has filled for this long… */
  readonly sealPauseMs: number;
  /** …or as soon as this many are waiting. */
  readonly unsealedChunks: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  streamBytesMax: 64 * 1024 ** 3,
  openStreams: 1_000_000,
  readersPerStream: 20_000,
  liveReaders: 20_000,
  storedBytes: 2 ** 40,
  readBytes: 64 * 1024 ** 2,
  bufferedBytes: 4 * 1024 ** 2,
  longPollMs: 20_000,
  sseMs: 60_000,
  sealPauseMs: 0,
  unsealedChunks: 64,
};

export interface StreamDeps {
  readonly store: StreamStore;
  readonly objects: ObjectStore;
  readonly tails: LiveTails;
  readonly ticker: Ticker;
  readonly sealer: Sealer;
  readonly log: Log;
  /** Milliseconds since the epoch; for dates that are shown. */
  readonly clock: () => number;
  /** Long encodings let other work run in between. */
  readonly turn: Turn;
  /** For everything that ends. */
  readonly lifetime: LifetimeClock;
  readonly limits: StreamLimits;
  readonly tenantLimits: ReadTenantLimits;
  readonly storedBytes: StoredBytes;
  /** The last use of each life with a time to live, by `lifetime`; the store may not have it yet. */
  readonly touched: Map<string, number>;
  /** Resolves once every stream that shares the damaged bytes is marked. */
  onCorrupt(stream: StreamKey, from: Position): Promise<void>;
  /** Called when a life has ended, to drop its data from memory. */
  onRemoved(stream: StreamKey): void;
  /** Called after the commit of a create, append or removal. Must be cheap. */
  onChanged(stream: StreamState): void;
}
