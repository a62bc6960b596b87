/**
 * The OpenAPI description of `/v1/stream/*`. Bodies are the content of streams; the protocol uses headers. The route
 * itself is in `streams.ts`.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { App } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';
import { anyContent, header, SERVICE_SECURITY } from '../views/operation.js';
import { responseHeaders } from '../views/response-headers.js';

const shared = { path: '/v1/stream/{path}', tags: ['Streams'], security: SERVICE_SECURITY };
const params = z.object({
  path: z
    .string()
    .describe('Name of the stream, 1 to 1,024 characters, unique per tenant. A slash may be sent as `%2F`.'),
});
const ANY = [
  'MISSING_SECRET',
  'INVALID_SECRET',
  'FORBIDDEN',
  'RATE_LIMITED',
  'NOT_FOUND',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
const EXISTING = [...ANY, 'STREAM_NOT_FOUND', 'STREAM_GONE'] as const;
const STATE_HEADERS = [
  'Stream-Next-Offset?',
  'Stream-Closed?',
  'Stream-Total-Size?',
  'Stream-Write-Units?',
  'Stream-TTL?',
  'Stream-Expires-At?',
] as const;

const create = createRoute({
  ...shared,
  method: 'put',
  operationId: 'createStream',
  summary: 'Create a stream',
  description:
    'Scope `stream:write`. The body, if any, is the first append. Repeating the request with the same configuration ' +
    'returns 200. A fork shares the bytes of its source.',
  request: {
    params,
    headers: z.object({
      'Content-Type': header('Content type of all appends; `application/json` makes a stream of messages.'),
      'Stream-TTL': header('Seconds without use after which the stream expires.'),
      'Stream-Expires-At': header(
        'When the stream expires, as an RFC 3339 time. Cannot be combined with `Stream-TTL`.',
      ),
      'Stream-Closed': header('`true`: close the stream after this request.'),
      'Stream-Forked-From': header('Path of the source, with `/v1/stream/`. Forks nest up to 64 levels.'),
      'Stream-Fork-Offset': header("Offset at which the fork leaves its source. Default: the source's tail."),
      'Stream-Fork-Sub-Offset': header(
        'Bytes, or messages of a JSON stream, into the append at that offset.',
      ),
    }),
    body: { content: anyContent },
  },
  responses: {
    200: {
      description: 'The stream already exists with the same configuration.',
      headers: responseHeaders('Stream-Next-Offset', 'Stream-Closed?'),
    },
    201: {
      description: 'Created durably.',
      headers: responseHeaders('Location', 'Stream-Next-Offset', 'Stream-Closed?'),
    },
    ...errorResponses(
      ...ANY,
      'TOO_MANY_STREAMS',
      'QUOTA_EXCEEDED',
      'OFFSET_INVALID',
      'STREAM_NOT_FOUND',
      'STREAM_CONFLICT',
      'STREAM_GONE',
      'CONTENT_TYPE_MISMATCH',
      'STREAM_TOO_LARGE',
      'STREAM_CORRUPT',
      'STORAGE_FULL',
    ),
  },
});

const append = createRoute({
  ...shared,
  method: 'post',
  operationId: 'appendStream',
  summary: 'Append to a stream, close it, or both',
  description:
    'Scope `stream:write`. The response is sent once the append is on disk. Each element of a JSON array is one message.',
  request: {
    params,
    headers: z.object({
      'Content-Type': header("The stream's content type. Required with a body."),
      'Stream-Closed': header('`true`: close the stream, after the body if there is one.'),
      'Stream-Seq': header('Must sort after the last one, compared as text.'),
      'Producer-Id': header('Identifies an idempotent producer. The three headers go together.'),
      'Producer-Epoch': header('A higher epoch fences all lower ones.'),
      'Producer-Seq': header('Counts from 0 in each epoch. A repeat is acknowledged, not appended again.'),
    }),
    body: { content: anyContent },
  },
  responses: {
    200: {
      description: 'The append of a producer is durable.',
      headers: responseHeaders('Stream-Next-Offset', 'Stream-Closed?', 'Producer-Epoch?', 'Producer-Seq?'),
    },
    204: {
      description: 'The append is durable, or repeats one that is.',
      headers: responseHeaders('Stream-Next-Offset', 'Stream-Closed?', 'Producer-Epoch?', 'Producer-Seq?'),
    },
    ...errorResponses(
      ...EXISTING,
      'STREAM_CLOSED',
      'CONTENT_TYPE_MISMATCH',
      'SEQUENCE_CONFLICT',
      'PRODUCER_FENCED',
      'PRODUCER_GAP',
      'QUOTA_EXCEEDED',
      'STREAM_TOO_LARGE',
      'STREAM_CORRUPT',
      'STORAGE_FULL',
    ),
  },
});

const read = createRoute({
  ...shared,
  method: 'get',
  operationId: 'readStream',
  summary: 'Read a stream from an offset, up to its tail or live',
  description:
    'Scope `stream:read`. Without `live`, everything up to the current tail, at most 64 MiB. `long-poll` waits for ' +
    'the next append. `sse` sends `data` and `control` events and ends after about a minute; resume it by offset.',
  request: {
    params,
    query: z.object({
      offset: z
        .string()
        .optional()
        .describe('An offset from an earlier response, `-1` for the start, or `now`.'),
      live: z.enum(['long-poll', 'sse']).optional(),
      cursor: z.string().optional().describe('`Stream-Cursor` of the last live response.'),
    }),
    headers: z.object({ 'If-None-Match': header('`ETag` of an earlier response from the same offset.') }),
  },
  responses: {
    200: {
      description: 'The bytes, an array of messages (JSON streams), or server-sent events (`live=sse`).',
      content: anyContent,
      headers: responseHeaders(
        ...STATE_HEADERS,
        'Stream-Up-To-Date?',
        'Stream-Cursor?',
        'Stream-SSE-Data-Encoding?',
        'ETag?',
      ),
    },
    204: {
      description: 'A long-poll without new data.',
      headers: responseHeaders(...STATE_HEADERS, 'Stream-Up-To-Date?', 'Stream-Cursor?'),
    },
    304: {
      description: 'Nothing has changed since `If-None-Match`.',
      headers: responseHeaders(...STATE_HEADERS, 'Stream-Up-To-Date?', 'ETag?'),
    },
    ...errorResponses(...EXISTING, 'OFFSET_INVALID', 'TOO_MANY_READERS', 'STREAM_CORRUPT'),
  },
});

const head = createRoute({
  ...shared,
  method: 'head',
  operationId: 'headStream',
  summary: 'Get the state of a stream without its bytes',
  description: 'Scope `stream:read`. Does not renew a time to live.',
  request: { params },
  responses: {
    200: { description: 'The stream exists.', headers: responseHeaders(...STATE_HEADERS) },
    ...errorResponses(...EXISTING),
  },
});

const remove = createRoute({
  ...shared,
  method: 'delete',
  operationId: 'deleteStream',
  summary: 'Delete a stream',
  description: 'Scope `stream:write`. Bytes that forks share are kept until the last fork is deleted.',
  request: { params },
  responses: { 204: { description: 'Deleted.' }, ...errorResponses(...EXISTING) },
});

export function describeStreams(app: App): void {
  for (const route of [create, append, read, head, remove]) app.openAPIRegistry.registerPath(route);
}
