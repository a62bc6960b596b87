/** A long-poll: responds immediately if there is data, otherwise waits for the next append or its timeout. */

import { joinHeaders } from '../join-headers.js';
import { bodyOf, planReadable } from './catch-up.js';
import { nextCursor } from './cursor.js';
import { jsonArray } from './json-messages.js';
import type { TailEvent } from './live-tails.js';
import type { Place } from './locate.js';
import { isJson } from './media-type.js';
import { comparePositions } from './offset.js';
import type { StreamDeps } from './stream-deps.js';
import { closedHeader, nextOffset } from './stream-headers.js';
import { notFound, refresh } from './stream-life.js';
import type { StreamCall, StreamResponse } from './stream-response.js';
import type { StreamKey, StreamState } from './stream-store.js';
import { type ReaderShare, readerShare } from './tenant-shares.js';

export async function longPoll(deps: StreamDeps, call: StreamCall, read: Place): Promise<StreamResponse> {
  const { from } = read;
  const wait = waitForAppend(deps, call, {
    life: read.state.life,
    share: await readerShare(deps, read.state),
  });
  try {
    // The watch is already set up: otherwise an append between this read and the watch would be missed.
    const state = await refresh(deps.store, read.state);
    if (!state) throw notFound();
    if (comparePositions(from, state.tail) < 0) return await respondWithStored(deps, call, { state, from });
    if (state.closed) return respondEmpty(deps, call, state);
    const woken = await wait.woken;
    if (woken === 'gone') return await respondAfterLoss(deps, call, state);
    if (woken === 'timeout') return respondEmpty(deps, call, state);
    if (comparePositions(woken.from, from) !== 0)
      return await respondWithStored(deps, call, { state: woken.state, from });
    return respondWithEvent(deps, call, woken);
  } finally {
    wait.stop();
  }
}

type Woken = TailEvent | 'timeout' | 'gone';

function waitForAppend(
  deps: StreamDeps,
  call: StreamCall,
  { life, share }: { readonly life: string; readonly share: ReaderShare | undefined },
): { woken: Promise<Woken>; stop(): void } {
  let wake: (woken: Woken) => void = () => {};
  const woken = new Promise<Woken>((resolve) => {
    wake = resolve;
  });
  // Outside the promise, so that the refusal of a stream or tenant with too many readers is thrown here.
  const unwatch = deps.tails.watch(life, { onAppend: wake, onGone: () => wake('gone') }, share);
  const cancel = deps.ticker.after(deps.limits.longPollMs, () => wake('timeout'));
  const leave = () => wake('timeout');
  const { signal } = call;
  signal?.addEventListener('abort', leave);
  const stop = () => {
    unwatch();
    cancel();
    signal?.removeEventListener('abort', leave);
  };
  return { woken, stop };
}

/** The stream is gone, or its readers were disconnected because of an error that the store will report. */
async function respondAfterLoss(
  deps: StreamDeps,
  call: StreamCall,
  stream: StreamKey,
): Promise<StreamResponse> {
  const state = await refresh(deps.store, stream);
  if (!state || state.deleted) throw notFound();
  return respondEmpty(deps, call, state);
}

async function respondWithStored(
  deps: StreamDeps,
  call: StreamCall,
  { state, from }: Place,
): Promise<StreamResponse> {
  const plan = await planReadable(deps, state, from);
  const headers = joinHeaders(
    liveHeaders(deps, call, state),
    nextOffset(state, plan.end),
    closedHeader(plan.complete && state.closed),
  );
  if (!plan.complete) delete headers['Stream-Up-To-Date'];
  return { status: 200, headers, body: await bodyOf(deps, state, plan), state };
}

/** Uses the bytes of the event itself, without store access. */
function respondWithEvent(
  deps: StreamDeps,
  call: StreamCall,
  { state, bytes, shared }: TailEvent,
): StreamResponse {
  const { headers } = respondEmpty(deps, call, state);
  if (bytes.length === 0) return { status: 204, headers, state };
  if (!isJson(state.contentType)) return { status: 200, headers, body: { kind: 'bytes', bytes }, state };
  const array = shared.get('json') ?? jsonArray(bytes);
  shared.set('json', array);
  return { status: 200, headers, body: { kind: 'bytes', bytes: array }, state };
}

function respondEmpty(deps: StreamDeps, call: StreamCall, state: StreamState): StreamResponse {
  return {
    status: 204,
    headers: joinHeaders(liveHeaders(deps, call, state), nextOffset(state), closedHeader(state.closed)),
    state,
  };
}

function liveHeaders(deps: StreamDeps, call: StreamCall, state: StreamState): Record<string, string> {
  return {
    'Content-Type': state.contentType,
    'Stream-Cursor': String(nextCursor(deps.clock(), call.query.get('cursor'))),
    'Stream-Up-To-Date': 'true',
    'Cache-Control': 'no-store',
  };
}
