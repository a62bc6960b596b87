/**
 * A catch-up read: everything from an offset up to the current tail, bounded per response. The length is known before
 * the first byte is sent, and the bytes are streamed rather than collected in memory.
 */

import { joinHeaders } from '../join-headers.js';
import { concatBytes } from '../net/index.js';
import type { Place } from './locate.js';
import { isJson } from './media-type.js';
import type { OffsetToken, Position } from './offset.js';
import { lineUpTo, planRead, type ReadPlan } from './read-plan.js';
import { type Piece, readSpans, refuseDamaged } from './read-spans.js';
import type { StreamDeps } from './stream-deps.js';
import { closedHeader, entityTag, nextOffset, stateHeaders } from './stream-headers.js';
import type { StreamBody, StreamCall, StreamResponse } from './stream-response.js';
import type { StreamState } from './stream-store.js';

const encoder = new TextEncoder();

export async function catchUp(
  deps: StreamDeps,
  call: StreamCall,
  { state, from, token }: Place & { readonly token: OffsetToken },
): Promise<StreamResponse> {
  const plan = await planReadable(deps, state, from);
  const tag = entityTag(state, from, plan.end);
  const headers = joinHeaders(
    stateHeaders(state),
    nextOffset(state, plan.end),
    plan.complete && { 'Stream-Up-To-Date': 'true' },
    closedHeader(plan.complete && state.closed),
    token.kind === 'now'
      ? { 'Cache-Control': 'no-store' }
      : { 'Cache-Control': cacheControl(state, plan), ETag: tag },
  );
  if (token.kind !== 'now' && matches(call.header('if-none-match'), tag))
    return { status: 304, headers, state };
  return { status: 200, headers, body: await bodyOf(deps, state, plan), state };
}

/** Plans a read up to the tail, or up to known damage. Throws if the read would begin at or after the damage. */
export async function planReadable(deps: StreamDeps, state: StreamState, from: Position): Promise<ReadPlan> {
  const { corruptFrom } = state;
  if (!corruptFrom) return planRead(deps.store, state, { from, bytesMax: deps.limits.readBytes });
  refuseDamaged(state, from);
  const sound = { ...state, tail: corruptFrom, ancestors: lineUpTo(state.ancestors, corruptFrom) };
  const plan = await planRead(deps.store, sound, { from, bytesMax: deps.limits.readBytes });
  return { ...plan, complete: false };
}

/** Reads the first piece before the response head is sent, so that damage there still becomes an error response. */
export async function bodyOf(deps: StreamDeps, state: StreamState, plan: ReadPlan): Promise<StreamBody> {
  const json = isJson(state.contentType);
  if (plan.bytes === 0) return { kind: 'bytes', bytes: encoder.encode(json ? '[]' : '') };
  const pieces = await fetchFirst(readSpans(deps, plan));
  const release = (piece: Uint8Array) => deps.objects.release?.(piece);
  return {
    kind: 'pieces',
    length: json ? plan.bytes + 1 : plan.bytes,
    release,
    pieces: () => (json ? jsonArray(pieces, plan.bytes, release) : rawBytes(pieces)),
  };
}

export interface BegunRead {
  readonly plan: ReadPlan;
  readonly pieces: AsyncGenerator<Piece>;
}

export async function beginRead(deps: StreamDeps, state: StreamState, from: Position): Promise<BegunRead> {
  const plan = await planReadable(deps, state, from);
  return { plan, pieces: await fetchFirst(readSpans(deps, plan)) };
}

async function fetchFirst(pieces: AsyncGenerator<Piece>): Promise<AsyncGenerator<Piece>> {
  const first = await pieces.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  })();
}

async function* rawBytes(pieces: AsyncIterable<Piece>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of pieces) yield bytes;
}

/** Stored messages end in commas; the last one becomes the closing bracket. */
async function* jsonArray(
  pieces: AsyncIterable<Piece>,
  total: number,
  release: (copied: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let left = total;
  let open: Uint8Array = encoder.encode('[');
  for await (const { bytes } of pieces) {
    left -= bytes.length;
    if (left > 0) {
      if (open.length > 0) yield open;
      yield bytes;
    } else {
      const last = concatBytes([open, bytes.subarray(0, bytes.length - 1), encoder.encode(']')]);
      release(bytes);
      yield last;
    }
    open = new Uint8Array(0);
  }
}

/** Bytes before the tail never change; a response that ends at an open tail must be revalidated. */
function cacheControl(state: StreamState, plan: ReadPlan): string {
  const settled = !plan.complete || state.closed;
  return settled ? 'private, max-age=60, stale-while-revalidate=300' : 'private, no-cache';
}

function matches(header: string | null, tag: string): boolean {
  const given = header?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return given.includes(tag) || given.includes('*');
}
