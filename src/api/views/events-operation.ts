/** `GET …/events`, which every resource with progress events has: its OpenAPI description and its query. */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { type ErrorCode, SondeError } from '../../errors.js';
import type { AppContext } from '../app-env.js';
import { RECORD_ERRORS } from '../records.js';
import { errorResponses } from './error-responses.js';
import { JobEventView } from './job.js';
import { JOB_EVENT_LIMITS } from './job-events.js';
import { header, jsonContent, SERVICE_SECURITY } from './operation.js';

const Query = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('Return events with a greater `seq`.'),
  limit: z.coerce.number().int().min(1).max(JOB_EVENT_LIMITS.pageMax).default(100),
});

const Page = z
  .object({
    events: z.array(JobEventView),
    next: z.int().describe('Send it as `after` to get the next page.'),
    ended: z.boolean().describe('No further events will follow.'),
  })
  .openapi('JobEvents');

export interface EventsResource<Path extends string> {
  readonly path: Path;
  readonly operationId: string;
  readonly tags: string[];
  readonly params: z.ZodObject;
  /** The error for an unknown resource. */
  readonly missing: ErrorCode;
}

export function eventsOperation<Path extends string>({
  params,
  missing,
  ...operation
}: EventsResource<Path>) {
  return createRoute({
    ...operation,
    method: 'get',
    security: SERVICE_SECURITY,
    summary: 'List or stream progress events',
    description:
      'With `Accept: text/event-stream`, streams the events after `Last-Event-ID` until the work has ended, or ' +
      'returns 204 if it has ended without further events.',
    request: {
      params,
      query: Query,
      headers: z.object({
        'Last-Event-ID': header('`seq` of the last event received. Takes precedence over `after`.'),
      }),
    },
    responses: {
      200: {
        description: 'Events in order.',
        content: { ...jsonContent(Page), 'text/event-stream': { schema: z.string() } },
      },
      204: { description: 'The work has ended and there are no further events.' },
      ...errorResponses(...RECORD_ERRORS, missing, 'TOO_MANY_READERS'),
    },
  });
}

export function readEventsQuery(c: AppContext): z.output<typeof Query> {
  const query = Query.safeParse(c.req.query());
  if (query.success) return query.data;
  throw new SondeError(
    'INVALID_REQUEST',
    `query.after must be a whole number of at least 0, query.limit one from 1 to ${JOB_EVENT_LIMITS.pageMax}.`,
  );
}
