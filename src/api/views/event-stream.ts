/**
 * A response of server-sent events. It is pulled: events are only read once the client has received the previous ones.
 * It ends after `sseMs`, and the client then resumes. Until its end it counts as one of the tenant's readers.
 */
import { SondeError } from '../../errors.js';
import { quotasOf, type Tenant } from '../../jobs/index.js';
import type { Reply } from '../../kernel/reply.js';

/** `readers` is the limit per tenant, unless its quota `liveReaders` is lower. */
export const EVENT_STREAM_LIMITS = { readers: 1_000, quietMs: 15_000 } as const;

interface Reader {
  /** Its slot is free from then on, even if its disconnect was never noticed. */
  readonly endsAt: number;
}

/**
 * Readers by tenant, so that one tenant cannot use up the slots of another. The edge does not report every reader that
 * disconnects during a write, and drops its timers too, so each slot also has a fixed end.
 */
const readers = new Map<string, Set<Reader>>();

export interface EventStream {
  readonly tenant: Tenant;
  /** How long one response lasts. */
  readonly sseMs: number;
  /** Whether the server is shutting down; the response then ends as soon as it is quiet. */
  readonly stopping: () => boolean;
  /**
   * Yields frames until the signal is aborted or there is nothing more to send. An empty text means that nothing
   * happened for a while.
   */
  frames(signal: AbortSignal): AsyncGenerator<string>;
}

/** `left` is aborted when the client disconnects. */
export function replyWithEventStream(stream: EventStream, left: AbortSignal): Reply {
  const { tenant } = stream;
  const max = Math.min(EVENT_STREAM_LIMITS.readers, quotasOf(tenant).liveReaders);
  if (countReaders(tenant.id) >= max) {
    throw new SondeError(
      'TOO_MANY_READERS',
      `At most ${max} readers of a tenant can follow events at once.`,
      { details: { max } },
    );
  }
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
    body: { kind: 'web', stream: bodyOf(stream, left) },
  };
}

function countReaders(tenantId: string): number {
  const active = readers.get(tenantId);
  if (!active) return 0;
  const now = performance.now();
  for (const reader of active) {
    // Sorted by arrival and therefore by end.
    if (reader.endsAt > now) break;
    active.delete(reader);
  }
  return active.size;
}

/** Takes a slot until the returned function is called. */
function takeSlot(tenantId: string, sseMs: number): () => void {
  const active = readers.get(tenantId) ?? new Set();
  const reader = { endsAt: performance.now() + sseMs };
  readers.set(tenantId, active.add(reader));
  return () => {
    active.delete(reader);
    if (active.size === 0 && readers.get(tenantId) === active) readers.delete(tenantId);
  };
}

const encoder = new TextEncoder();

function bodyOf(stream: EventStream, disconnected: AbortSignal): ReadableStream<Uint8Array> {
  const { tenant, sseMs } = stream;
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, sseMs);
  const releaseSlot = takeSlot(tenant.id, sseMs);
  const cleanUp = () => {
    releaseSlot();
    clearTimeout(timer);
    disconnected.removeEventListener('abort', stop);
  };
  // A generator that is no longer pulled never runs its `finally`, so the slot is released here.
  const stop = () => {
    end();
    cleanUp();
  };
  disconnected.addEventListener('abort', stop, { once: true });
  const frameSource = send();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await frameSource.next();
        if (!next.done) return controller.enqueue(encoder.encode(next.value));
        controller.close();
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );

  async function* send() {
    try {
      yield 'retry: 1000\n\n';
      yield* withKeepAlives(stream, ended.signal);
    } finally {
      cleanUp();
    }
  }
}

/** Sends comments while nothing happens, so that no intermediary closes a quiet connection. */
async function* withKeepAlives({ frames, stopping }: EventStream, signal: AbortSignal) {
  let sentAt = performance.now();
  for await (const text of frames(signal)) {
    if (text !== '' || performance.now() - sentAt >= EVENT_STREAM_LIMITS.quietMs) {
      yield text || ': keep-alive\n\n';
      sentAt = performance.now();
    } else if (stopping()) return;
  }
}
