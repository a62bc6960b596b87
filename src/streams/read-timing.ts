/**
 * Lists when the records of a stream arrived, in pages, for callers that may read the stream. Records from before
 * arrival times were stored have none. A fork shows the arrival times of its source for inherited bytes.
 */
import { segmentKey } from './object-store.js';
import { formatOffset, parseOffset } from './offset.js';
import { openStream } from './open-stream.js';
import { type PlannedSpan, planRead } from './read-plan.js';
import { corrupt, digestOf, missingSegment } from './read-spans.js';
import { resolvePosition } from './resolve-position.js';
import { readArrivals } from './segment.js';
import type { StreamDeps } from './stream-deps.js';
import { notFound } from './stream-life.js';
import type { Arrival, StreamState } from './stream-store.js';

export interface TimingQuery {
  /** An offset that the stream returned; the start by default. */
  readonly from?: string;
  readonly limit: number;
  /** The caller's tenant. Must match the tenant in the stream's metadata, if that has one. */
  readonly tenant: string;
}

/** Offset, stored bytes, and milliseconds since the stream was created; null if the arrival is not known. */
export type TimedRecord = readonly [offset: string, bytes: number, ms: number | null];

export interface StreamTiming {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Bytes of the stream before the first record of this page. */
  readonly bytesBefore: number;
  readonly records: readonly TimedRecord[];
  /** Null at the tail. */
  readonly next: string | null;
}

export async function readTiming(
  deps: StreamDeps,
  id: string,
  { from, limit, tenant }: TimingQuery,
): Promise<StreamTiming> {
  const token = from === undefined ? ({ kind: 'start' } as const) : parseOffset(from);
  const state = await openStream(deps, id);
  if ((tenantIn(state) ?? tenant) !== tenant) throw notFound();
  const { hash, createdAt, totalBytes } = state;
  const position = resolvePosition(state, token);
  const plan = await planRead(deps.store, state, { from: position, bytesMax: Number.MAX_SAFE_INTEGER });
  const records: TimedRecord[] = [];
  let next: string | null = null;
  for (const span of plan.spans) {
    if (records.length === limit) {
      next = formatOffset(hash, { chunk: span.chunk, position: span.lo });
      break;
    }
    const left = limit - records.length;
    const found = (await arrivalsIn(deps, span, left)).slice(0, left);
    for (const { start, end, at } of found) {
      const offset = formatOffset(hash, { chunk: span.chunk, position: start });
      records.push([offset, end - start, at === null ? null : Math.max(0, at - createdAt)]);
    }
    const end = found.at(-1)?.end ?? span.hi;
    if (end === span.hi) continue;
    next = formatOffset(hash, { chunk: span.chunk, position: end });
    break;
  }
  return { createdAt, bytesBefore: totalBytes - plan.bytes, records, next };
}

/** Streams that the server writes itself name their tenant in the metadata; all others in the id. */
function tenantIn({ metadata }: StreamState): unknown {
  return metadata === null ? undefined : (JSON.parse(metadata) as { readonly tenant?: unknown }).tenant;
}

async function arrivalsIn(deps: StreamDeps, span: PlannedSpan, max: number): Promise<readonly Arrival[]> {
  if (!span.cold) {
    const hot = await deps.store.arrivals(span.owner, span, max);
    if (hot === 'removed') throw notFound();
    if (hot !== 'cold') return hot;
  }
  const segment = await deps.objects.get(segmentKey(digestOf(span.owner.life), span.chunk));
  if (!segment) throw await missingSegment(deps, span);
  const arrivals = readArrivals(segment, span);
  if (!arrivals) throw corrupt();
  return arrivals;
}
