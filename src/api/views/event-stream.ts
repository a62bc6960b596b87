/**
 * A response of server-sent events: pulled, so that nothing is read before the reader has taken what came before;
 * ended after `sseMs`, when its client resumes; and counted among the tenant's readers while it lasts.
 */
import { CountMap } from '../../count-map.js';
import { SondeError } from '../../errors.js';
import { quotasOf, type Tenant } from '../../jobs/index.js';
import type { AppContext } from '../app-env.js';

/** `readers`: of one tenant, whose quota `liveReaders` may say less. */
export const EVENT_STREAM_LIMITS = { readers: 1_000, quietMs: 15_000 } as const;

/** By tenant: many readers of one must not refuse those of another. */
const readers = new CountMap();

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
  if (readers.get(tenant.id) >= max) {
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

const encoder = new TextEncoder();

function bodyOf({ tenant, sseMs, frames }: EventStream, gone: AbortSignal): ReadableStream<Uint8Array> {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, sseMs);
  gone.addEventListener('abort', end, { once: true });
  readers.add(tenant.id, 1);
  let left = false;
  const leave = () => {
    if (left) return;
    left = true;
    readers.add(tenant.id, -1);
    clearTimeout(timer);
    gone.removeEventListener('abort', end);
  };
  const sent = sending();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await sent.next();
        if (!next.done) return controller.enqueue(encoder.encode(next.value));
        controller.close();
      },
      cancel() {
        end();
        // A reader that goes before it has asked for anything leaves frames that never began, and so never end.
        leave();
      },
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

export const STILL_HERE = ': still here\n\n';
