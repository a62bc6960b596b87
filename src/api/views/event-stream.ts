/**
 * A response of server-sent events: pulled, so that nothing is read before the reader has taken what came before;
 * ended after `sseMs`, when its client resumes; and counted among the tenant's readers while it lasts.
 */
import { SondeError } from '../../errors.js';
import { quotasOf, type Tenant } from '../../jobs/index.js';
import type { AppContext } from '../app-env.js';

/** `readers`: of one tenant, whose quota `liveReaders` may say less. */
export const EVENT_STREAM_LIMITS = { readers: 1_000, quietMs: 15_000 } as const;

interface Reader {
  /** Its place is free from then on, whether or not it was seen to leave. */
  readonly endsAt: number;
}

/**
 * By tenant: many readers of one must not refuse those of another. The edge does not report every reader that
 * disconnects while something is being sent to it, and drops its timers too, so places have an end of their own.
 */
const readers = new Map<string, Set<Reader>>();

export interface EventStream {
  readonly tenant: Tenant;
  /** How long one response lasts. */
  readonly sseMs: number;
  /** Until the signal is aborted, or it has nothing more to send. */
  frames(signal: AbortSignal): AsyncGenerator<string>;
}

export function respondWithEvents(c: AppContext, stream: EventStream): Response {
  const { tenant } = stream;
  const max = Math.min(EVENT_STREAM_LIMITS.readers, quotasOf(tenant).liveReaders);
  if (countReaders(tenant.id) >= max) {
    throw new SondeError(
      'TOO_MANY_READERS',
      `At most ${max} readers of a tenant can follow events at once.`,
      { details: { max } },
    );
  }
  return new Response(bodyOf(stream, c.req.raw.signal), {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

function countReaders(tenantId: string): number {
  const present = readers.get(tenantId);
  if (!present) return 0;
  const now = Date.now();
  for (const reader of present) {
    // In the order of their arrival, and so of their ends.
    if (reader.endsAt > now) break;
    present.delete(reader);
  }
  return present.size;
}

/** Takes a place until the returned function is called. */
function takePlace(tenantId: string, sseMs: number): () => void {
  const present = readers.get(tenantId) ?? new Set();
  const reader = { endsAt: Date.now() + sseMs };
  readers.set(tenantId, present.add(reader));
  return () => {
    present.delete(reader);
    if (present.size === 0 && readers.get(tenantId) === present) readers.delete(tenantId);
  };
}

const encoder = new TextEncoder();

function bodyOf({ tenant, sseMs, frames }: EventStream, gone: AbortSignal): ReadableStream<Uint8Array> {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, sseMs);
  const freePlace = takePlace(tenant.id, sseMs);
  const leave = () => {
    freePlace();
    clearTimeout(timer);
    gone.removeEventListener('abort', goAway);
  };
  // Frames that are no longer requested never reach their end, so the slot is released here.
  const goAway = () => {
    end();
    leave();
  };
  gone.addEventListener('abort', goAway, { once: true });
  const sent = sending();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await sent.next();
        if (!next.done) return controller.enqueue(encoder.encode(next.value));
        controller.close();
      },
      cancel: goAway,
    },
    { highWaterMark: 0 },
  );

  async function* sending() {
    try {
      yield 'retry: 1000\n\n';
      yield* frames(over.signal);
    } finally {
      leave();
    }
  }
}

/** Says when a comment is due, so that whatever stands between does not take a quiet connection for a dead one. */
export class QuietWatch {
  #since = Date.now();

  sent(): void {
    this.#since = Date.now();
  }

  get isDue(): boolean {
    return Date.now() - this.#since >= EVENT_STREAM_LIMITS.quietMs;
  }
}

export const KEEP_ALIVE = ': keep-alive\n\n';
