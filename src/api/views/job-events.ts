/**
 * The response with the events of a job, or of a resource whose job runs several: server-sent events from
 * `Last-Event-ID` to the last event if requested, otherwise a page of JSON. A stream ends after `sseMs` at the latest
 * and is resumed by the client. When no events are left, the response is 204, which ends an `EventSource`.
 */
import { isEnded, type Job, type JobEvent, type Tenant } from '../../jobs/index.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { jsonReply, NO_CONTENT, NO_STORE, type Reply } from '../../kernel/reply.js';
import type { AppRecords } from '../records.js';
import { replyWithEventStream } from './event-stream.js';
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

interface EventsRequest {
  header(name: string): string | null | undefined;
  readonly signal: AbortSignal;
}

export async function replyWithEvents(request: EventsRequest, call: EventsCall): Promise<Reply> {
  const wantsStream = (request.header('accept') ?? '').includes('text/event-stream');
  const after = lastEventId(request.header('last-event-id')) ?? call.after;
  return wantsStream ? streamEvents(request, { ...call, after }) : replyWithPage({ ...call, after });
}

async function replyWithPage({ feed, after, limit }: EventsCall): Promise<Reply> {
  const events = await feed.events({ after, limit });
  const next = events.at(-1)?.seq ?? after;
  return jsonReply({ events: events.map(jobEventView), next, ended: feed.ended }, NO_STORE);
}

function lastEventId(given: string | null | undefined): number | undefined {
  if (given === undefined || given === null) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw invalidField('header.last-event-id', 'Last-Event-ID must be the sequence number of an event.');
}

async function streamEvents({ signal: left }: EventsRequest, call: EventsCall): Promise<Reply> {
  const { feed, after, tenant, sseMs, stopping } = call;
  if (feed.ended) {
    const [more] = await feed.events({ after, limit: 1 });
    if (!more) return NO_CONTENT;
  }
  const stream = {
    tenant,
    sseMs,
    stopping,
    async *frames(signal: AbortSignal) {
      for await (const page of feed.follow({ after, signal })) yield page.map(frameOf).join('');
    },
  };
  return replyWithEventStream(stream, left);
}

function frameOf(event: JobEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(jobEventView(event))}\n\n`;
}
