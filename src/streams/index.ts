/** The public exports of `streams/`. */

export { checksum } from './checksum.js';
export { CHUNK_BYTES, writeUnitsOf } from './chunk-rules.js';
export type { OwnStream } from './create-stream.js';
export { decideAppend } from './decide-append.js';
export { endOf, isExpired } from './expiry.js';
export { destroyBefore, type LifetimeClock, trustedClock } from './lifetime-clock.js';
export type { PlaceName } from './locate.js';
export { type ObjectStore, segmentKey } from './object-store.js';
export { comparePositions, formatOffset, type Position } from './offset.js';
export { digestOf } from './read-spans.js';
export type { StreamTiming, TimingQuery } from './read-timing.js';
export { type RepairRequest, repairStreams, type StreamRepairs } from './repair-streams.js';
export type { StreamLimits } from './stream-deps.js';
export { newLife } from './stream-life.js';
export type { LiveBody, LiveSink, StreamBody, StreamCall, StreamResponse } from './stream-response.js';
export { StreamService, type StreamServiceOptions, type UncheckedTails } from './stream-service.js';
export type {
  Ancestor,
  AnnouncedFork,
  AppendInput,
  AppendOutcome,
  Arrival,
  ChunkRow,
  ChunkSpan,
  Creation,
  ExpiredStreams,
  HotBytes,
  ListedStream,
  NewStream,
  ProducerTuple,
  Removal,
  StreamKey,
  StreamListPage,
  StreamListPosition,
  StreamListQuery,
  StreamState,
  StreamStore,
  UnsealedChunk,
} from './stream-store.js';
export * from './subscriptions/index.js';
export { NO_TENANT_LIMITS, type ReadTenantLimits } from './tenant-limits.js';
export { tenantOf } from './tenant-shares.js';
export { ProcessTotals } from './tenant-totals.js';
export { type Verified, verifyStreams } from './verify-streams.js';
