/** A long-poll: answers at once where there is something to say, else waits for the next append or its time. */

import { joinHeaders } from '../join-headers.js';
import { concatBytes } from '../net/index.js';
import { bodyOf, planReadable } from './catch-up.js';
import { nextCursor } from './cursor.js';
import type { TailEvent } from './live-tails.js';
import { isJson } from './media-type.js';
import { comparePositions, type Position } from './offset.js';
import type { StreamAnswer, StreamCall } from './stream-answer.js';
import { closedHeader, nextOffset } from './stream-headers.js';
import { notFound, refresh } from './stream-life.js';
import type { StreamParts } from './stream-parts.js';
import type { StreamKey, StreamState } from './stream-store.js';

interface LongPoll {
  readonly state: StreamState;
  readonly from: Position;
}

const encoder = new TextEncoder();

export async function longPoll(parts: StreamParts, call: StreamCall, read: LongPoll): Promise<StreamAnswer> {
  const { from } = read;
  const wait = waitForAppend(parts, call, read.state.life);
  try {
    // Watching before looking: an append between the two would be missed otherwise.
    const state = await refresh(parts.store, read.state);
    if (!state) throw notFound();
    if (comparePositions(from, state.tail) < 0) return await answerStored(parts, call, { state, from });
    if (state.closed) return answerEmpty(parts, call, state);
    const woken = await wait.woken;
    if (woken === 'gone') return await answerDropped(parts, call, state);
    if (woken === 'timeout') return answerEmpty(parts, call, state);
    if (comparePositions(woken.from, from) !== 0)
      return await answerStored(parts, call, { state: woken.state, from });
    return answerEvent(parts, call, woken);
  } finally {
    wait.stop();
  }
}

type Woken = TailEvent | 'timeout' | 'gone';

function waitForAppend(
  parts: StreamParts,
  call: StreamCall,
  life: string,
): { woken: Promise<Woken>; stop(): void } {
  let wake: (woken: Woken) => void = () => {};
  const woken = new Promise<Woken>((resolve) => {
    wake = resolve;
  });
  // Outside the promise: a stream with too many readers refuses here, before anything waits.
  const unwatch = parts.tails.watch(life, { onAppend: wake, onGone: () => wake('gone') });
  const cancel = parts.ticker.after(parts.limits.longPollMs, () => wake('timeout'));
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

/** The stream is gone, or only its readers were sent away, because something is wrong that the store can tell. */
async function answerDropped(parts: StreamParts, call: StreamCall, stream: StreamKey): Promise<StreamAnswer> {
  const state = await refresh(parts.store, stream);
  if (!state || state.deleted) throw notFound();
  return answerEmpty(parts, call, state);
}

async function answerStored(
  parts: StreamParts,
  call: StreamCall,
  { state, from }: LongPoll,
): Promise<StreamAnswer> {
  const plan = await planReadable(parts, state, from);
  const headers = joinHeaders(
    liveHeaders(parts, call, state),
    nextOffset(state, plan.end),
    closedHeader(plan.complete && state.closed),
  );
  if (!plan.complete) delete headers['Stream-Up-To-Date'];
  return { status: 200, headers, body: await bodyOf(parts, state, plan), state };
}

/** The bytes came with the wake-up; the store is not asked. */
function answerEvent(
  parts: StreamParts,
  call: StreamCall,
  { state, bytes, shared }: TailEvent,
): StreamAnswer {
  const headers = joinHeaders(liveHeaders(parts, call, state), nextOffset(state), closedHeader(state.closed));
  if (bytes.length === 0) return { status: 204, headers, state };
  if (!isJson(state.contentType)) return { status: 200, headers, body: { kind: 'bytes', bytes }, state };
  const array =
    shared.get('json') ??
    concatBytes([encoder.encode('['), bytes.subarray(0, bytes.length - 1), encoder.encode(']')]);
  shared.set('json', array);
  return { status: 200, headers, body: { kind: 'bytes', bytes: array }, state };
}

function answerEmpty(parts: StreamParts, call: StreamCall, state: StreamState): StreamAnswer {
  return {
    status: 204,
    headers: joinHeaders(liveHeaders(parts, call, state), nextOffset(state), closedHeader(state.closed)),
    state,
  };
}

function liveHeaders(parts: StreamParts, call: StreamCall, state: StreamState): Record<string, string> {
  return {
    'Content-Type': state.contentType,
    'Stream-Cursor': String(nextCursor(parts.clock(), call.query.get('cursor'))),
    'Stream-Up-To-Date': 'true',
    'Cache-Control': 'no-store',
  };
}
