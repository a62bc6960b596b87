/** `GET …/events`, which every resource with progress events has. */
import * as z from 'zod';
import { type ErrorCode, SondeError } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import { toResponse } from '../../kernel/web-door.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { storeErrors } from './error-responses.js';
import { JobEventPage } from './job.js';
import { type EventFeed, JOB_EVENT_LIMITS, replyWithEvents } from './job-events.js';
import {
  addOperation,
  jsonContent,
  limitParam,
  type operations,
  optionalText,
  textContent,
} from './operation.js';

const Query = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('Return events with a greater `seq`.'),
  limit: limitParam(JOB_EVENT_LIMITS.pageMax, 100),
});

interface EventsResource {
  readonly operation: ReturnType<typeof operations>;
  readonly path: string;
  readonly operationId: string;
  readonly params: z.ZodObject;
  /** The error for an unknown resource. */
  readonly missing: ErrorCode;
  /** Finds the resource that the request names; rejects if the caller may not read it. */
  feedOf(c: AppContext): Promise<{ readonly tenant: Tenant; readonly feed: EventFeed }>;
}

/** Everything but the parameters of the path. */
export const eventsSchemas = {
  summary: 'List or stream progress events',
  description:
    'With `Accept: text/event-stream`, streams the events after `Last-Event-ID` until the work has ended, or ' +
    'returns 204 if it has ended without further events.',
  query: Query,
  headers: z.object({
    'Last-Event-ID': optionalText('`seq` of the last event received. Takes precedence over `after`.'),
  }),
  replies: {
    200: {
      description: 'Events in order.',
      content: { ...jsonContent(JobEventPage), ...textContent('text/event-stream') },
    },
    204: { description: 'The work has ended and there are no further events.' },
  },
};

export function addEvents(app: App, { stopping, settings }: AppDeps, resource: EventsResource): void {
  const { operation, path, operationId, params, missing, feedOf } = resource;
  const { summary, description, query, headers, replies } = eventsSchemas;
  const route = operation.get(path, operationId, {
    summary,
    description,
    request: { params, query, headers },
    responses: { ...replies, ...storeErrors(missing, 'TOO_MANY_READERS') },
  });
  addOperation(app, route, async (c) => {
    const { tenant, feed } = await feedOf(c);
    const request = { header: (name: string) => c.req.header(name), signal: c.req.raw.signal };
    const { sseMs } = settings;
    return toResponse(await replyWithEvents(request, { tenant, feed, ...readQuery(c), stopping, sseMs }));
  });
}

function readQuery(c: AppContext): z.output<typeof Query> {
  const query = Query.safeParse(c.req.query());
  if (query.success) return query.data;
  throw new SondeError(
    'INVALID_REQUEST',
    `query.after must be a whole number of at least 0, query.limit one from 1 to ${JOB_EVENT_LIMITS.pageMax}.`,
  );
}
