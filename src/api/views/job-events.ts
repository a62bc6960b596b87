/**
 * Events as a response, for every resource that is a job and for what a job does beside others: server-sent events
 * if requested, starting after `Last-Event-ID` until the last event, otherwise a page of JSON. A stream ends after
 * `sseMs` at the latest and is resumed by the client; when no events are left, the response is 204, which ends an
 * `EventSource`.
 */
import { CountMap } from '../../count-map.js';
import { SondeError } from '../../errors.js';
import { isEnded, type Job, type JobEvent, quotasOf, type Tenant } from '../../jobs/index.js';
import type { AppContext } from '../app-env.js';
import type { AppRecords } from '../records.js';
import { jobEventView } from './job.js';

/** `readers`: of one tenant, whose quota `liveReaders` may say less. */
export const JOB_EVENT_LIMITS = { readers: 1_000, pageMax: 1_000, quietMs: 15_000 } as const;

/** Where events come from. */
export interface EventFeed {
  /** Nothing will be added to what can be read now. */
  readonly ended: boolean;
  events(page: { readonly after: number; readonly limit: number }): Promise<readonly JobEvent[]>;
  /** Pages as they arrive, until the last event; an empty page means that nothing arrived for a while. */
  follow(from: { readonly after: number; readonly signal: AbortSignal }): AsyncIterable<readonly JobEvent[]>;
}

export function jobFeed({ jobs }: AppRecords, tenant: Tenant, { jobId, status }: Job): EventFeed {
  return {
    ended: isEnded(status),
    events: (page) => jobs.events(tenant, jobId, page),
    follow: (from) => jobs.follow(tenant, jobId, from),
  };
}

export interface EventsCall {
  readonly tenant: Tenant;
  readonly feed: EventFeed;
  /** From the query; `Last-Event-ID` comes before it. */
  readonly after: number;
  readonly limit: number;
  readonly stopping: () => boolean;
  /** How long one stream of events lasts. */
  readonly sseMs: number;
}

export async function respondWithJobEvents(c: AppContext, call: EventsCall): Promise<Response> {
  const wantsStream = (c.req.header('accept') ?? '').includes('text/event-stream');
  const after = lastEventId(c) ?? call.after;
  return wantsStream ? streamEvents(c, { ...call, after }) : pageOf(c, { ...call, after });
}

async function pageOf(c: AppContext, { feed, after, limit }: EventsCall): Promise<Response> {
  const events = await feed.events({ after, limit });
  const next = events.at(-1)?.seq ?? after;
  c.header('Cache-Control', 'no-store');
  return c.json({ events: events.map(jobEventView), next, ended: feed.ended });
}

function lastEventId(c: AppContext): number | undefined {
  const given = c.req.header('last-event-id');
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new SondeError('INVALID_REQUEST', 'Last-Event-ID must be the sequence number of an event.', {
    details: { field: 'header.last-event-id' },
  });
}

/** By tenant: many readers of one must not refuse those of another. */
const readers = new CountMap();

async function streamEvents(c: AppContext, call: EventsCall): Promise<Response> {
  const { feed, after, tenant } = call;
  if (feed.ended) {
    const [more] = await feed.events({ after, limit: 1 });
    if (!more) return c.body(null, 204);
  }
  const max = Math.min(JOB_EVENT_LIMITS.readers, quotasOf(tenant).liveReaders);
  if (readers.get(tenant.id) >= max) {
    throw new SondeError(
      'TOO_MANY_READERS',
      `At most ${max} readers of a tenant can follow events at once.`,
      {
        details: { max },
      },
    );
  }
  return new Response(eventStream(call, c.req.raw.signal), {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

const encoder = new TextEncoder();

/** Pulled: nothing is read from the store before the reader has taken what came before. */
function eventStream(call: EventsCall, gone: AbortSignal): ReadableStream<Uint8Array> {
  const over = new AbortController();
  const end = () => over.abort();
  const frames = framesOf(call, over.signal);
  const timer = setTimeout(end, call.sseMs);
  gone.addEventListener('abort', end, { once: true });
  readers.add(call.tenant.id, 1);
  let left = false;
  const leave = () => {
    if (left) return;
    left = true;
    readers.add(call.tenant.id, -1);
    clearTimeout(timer);
    gone.removeEventListener('abort', end);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await frames.next();
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

  async function* framesOf({ feed, after, stopping }: EventsCall, signal: AbortSignal) {
    let quietSince = Date.now();
    try {
      yield 'retry: 1000\n\n';
      for await (const page of feed.follow({ after, signal })) {
        if (page.length > 0) yield page.map(frameOf).join('');
        else if (Date.now() - quietSince >= JOB_EVENT_LIMITS.quietMs) yield ': still here\n\n';
        else {
          if (stopping()) return;
          continue;
        }
        quietSince = Date.now();
      }
    } finally {
      leave();
    }
  }
}

function frameOf(event: JobEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(jobEventView(event))}\n\n`;
}
