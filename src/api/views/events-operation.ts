/** `GET …/events`, the same for every resource that tells events: how it is described, and how its query is read. */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { type ErrorCode, SondeError } from '../../errors.js';
import type { AppContext } from '../app-env.js';
import { RECORD_ERRORS, RECORD_SECURITY } from '../records.js';
import { errorResponses } from './error-responses.js';
import { JobEventView } from './job.js';
import { JOB_EVENT_LIMITS } from './job-events.js';

const Query = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(JOB_EVENT_LIMITS.pageMax).default(100),
});

const Page = z
  .object({ events: z.array(JobEventView), next: z.int(), ended: z.boolean() })
  .openapi('JobEvents');

export interface EventsResource<Path extends string> {
  readonly path: Path;
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly params: z.ZodObject;
  /** What is answered where there is no such thing. */
  readonly missing: ErrorCode;
}

export function eventsOperation<Path extends string>({ params, missing, ...facts }: EventsResource<Path>) {
  return createRoute({
    ...facts,
    method: 'get',
    security: RECORD_SECURITY,
    description:
      'With `Accept: text/event-stream` the events from behind `Last-Event-ID` until all is told; 204 when ' +
      'there is nothing left to tell.',
    request: { params, query: Query },
    responses: {
      200: {
        description: 'Events in order.',
        content: { 'application/json': { schema: Page }, 'text/event-stream': { schema: z.string() } },
      },
      204: { description: 'It has ended and everything was told.' },
      ...errorResponses(...RECORD_ERRORS, 'INVALID_REQUEST', missing, 'TOO_MANY_READERS'),
    },
  });
}

export function readEventsQuery(c: AppContext): z.output<typeof Query> {
  const query = Query.safeParse(c.req.query());
  if (query.success) return query.data;
  throw new SondeError(
    'INVALID_REQUEST',
    `query: after is a number from 0, limit one from 1 to ${JOB_EVENT_LIMITS.pageMax}.`,
  );
}
