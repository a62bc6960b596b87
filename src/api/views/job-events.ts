/**
 * The response with the events of a job, or of a resource whose job runs several: server-sent events from
 * `Last-Event-ID` to the last event if requested, otherwise a page of JSON. A stream ends after `sseMs` at the latest
 * and is resumed by the client. When no events are left, the response is 204, which ends an `EventSource`.
 */
import { isEnded, type Job, type JobEvent, type Tenant } from '../../jobs/index.js';
import { invalidField } from '../../kernel/invalid-request.js';
import type { AppContext } from '../app-env.js';
import type { AppRecords } from '../records.js';
import { respondWithEvents } from './event-stream.js';
import { jobEventView } from './job.js';

export const JOB_EVENT_LIMITS = { pageMax: 1_000 } as const;

/** A source of events. */
export interface EventFeed {
  /** Whether all events can be read now. */
  readonly ended: boolean;
  events(page: { readonly after: number; readonly limit: number }): Promise<readonly JobEvent[]>;
  /** Yields pages as they arrive, until the last event; an empty page means that nothing arrived for a while. */
  follow(from: { readonly after: number; readonly signal: AbortSignal }): AsyncIterable<readonly JobEvent[]>;
}

export function jobFeed({ jobs }: AppRecords, tenant: Tenant, { jobId, status }: Job): EventFeed {
  return {
    ended: isEnded(status),
    events: (page) => jobs.events(tenant, jobId, page),
    follow: (from) => jobs.follow(tenant, jobId, from),
  };
}

interface EventsCall {
  readonly tenant: Tenant;
  readonly feed: EventFeed;
  /** From the query; `Last-Event-ID` takes precedence. */
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
  throw invalidField('header.last-event-id', 'Last-Event-ID must be the sequence number of an event.');
}

async function streamEvents(c: AppContext, call: EventsCall): Promise<Response> {
  const { feed, after, tenant, sseMs, stopping } = call;
  if (feed.ended) {
    const [more] = await feed.events({ after, limit: 1 });
    if (!more) return c.body(null, 204);
  }
  return respondWithEvents(c, {
    tenant,
    sseMs,
    stopping,
    async *frames(signal) {
      for await (const page of feed.follow({ after, signal })) yield page.map(frameOf).join('');
    },
  });
}

function frameOf(event: JobEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(jobEventView(event))}\n\n`;
}
