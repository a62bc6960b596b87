/**
 * The change feed: one connection per browser. HTTP/1.1 allows six per origin, so the tabs elect a leader with a web
 * lock; only the leader reads the feed, and it repeats it on a channel. When its tab closes, the lock passes to
 * another.
 */
import { ApiError, errorOf, hasToken, send } from '../api/client';
import type { Change } from '../api/types';
import { type SseEvent, SseParser } from './sse';

/**
 * `unshared`: the browser has no web locks here, or the credential cannot read lists, so everything shown is polled.
 */
export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'unshared';

type Message =
  | { readonly type: 'change'; readonly change: Change; readonly id: string }
  | { readonly type: 'reset'; readonly id: string }
  | { readonly type: 'state'; readonly state: FeedState }
  | { readonly type: 'ask' };

export interface FeedListener {
  onChange(change: Change): void;
  /** Changes were lost, so everything shown may be stale. */
  onReset(): void;
  onState(state: FeedState): void;
}

const RETRY_MS = [500, 1000, 2000, 4000, 8000];

/** Follows the feed until the returned function is called. */
export function followFeed(tenant: string, listener: FeedListener): () => void {
  if (!('locks' in navigator)) {
    listener.onState('unshared');
    return () => {};
  }
  // A tab with its own token may have other rights than its neighbours.
  const name = hasToken() ? `sonde-feed:${Math.random()}` : `sonde-feed:${tenant}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let leading = false;
  let state: FeedState = 'connecting';
  // The id of the last message, from which a new leader tab continues.
  const position = { lastId: '' };
  const take = (message: Message) => {
    if ('id' in message) position.lastId = message.id;
    if (message.type === 'change') listener.onChange(message.change);
    else if (message.type === 'reset') listener.onReset();
    else if (message.type === 'state') listener.onState(message.state);
    else if (leading) channel.postMessage({ type: 'state', state } satisfies Message);
  };
  channel.onmessage = (event: MessageEvent<Message>) => take(event.data);
  const tell = (message: Message) => {
    if (message.type === 'state') state = message.state;
    take(message);
    if (!stop.signal.aborted) channel.postMessage(message);
  };
  channel.postMessage({ type: 'ask' } satisfies Message);
  navigator.locks
    .request(name, { signal: stop.signal }, async () => {
      leading = true;
      await lead(position, tell, stop.signal);
    })
    .catch(() => {});
  return () => {
    stop.abort();
    channel.close();
  };
}

/** Reads the feed, and reconnects from the last event when it ends. */
async function lead(
  position: { readonly lastId: string },
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      await readFeed(position, tell, signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && (error.status === 401 || error.status === 403))
        return tell({ type: 'state', state: 'unshared' });
      tell({ type: 'state', state: 'reconnecting' });
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 8000, signal);
      failures += 1;
    }
  }
}

async function readFeed(
  position: { readonly lastId: string },
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  const { lastId } = position;
  const headers = { Accept: 'text/event-stream', ...(lastId !== '' && { 'Last-Event-ID': lastId }) };
  const response = await send('/api/changes', { headers, signal });
  if (!response.ok || !response.body) throw await errorOf(response);
  tell({ type: 'state', state: 'live' });
  const parser = new SseParser();
  for await (const text of textOf(response.body)) {
    for (const event of parser.push(text)) tell(messageOf(event));
  }
}

/** Data loaded before the feed started may already be stale, so a new connection starts like one that lost changes. */
function messageOf({ event, data, id }: SseEvent): Message {
  if (event === 'change') return { type: 'change', change: JSON.parse(data) as Change, id };
  return { type: 'reset', id };
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
}

/** Ends early when the browser reports that the network is back. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
