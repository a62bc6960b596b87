/**
 * `/v1/stream/*` as the OpenAPI document describes it. Bodies are whatever a stream holds; what the protocol says is
 * in headers, so these are listed. The route itself is in `streams.ts`.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { App } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';

const PATH = '/v1/stream/{path}';
const TAG = 'Streams';
const security = [{ bearer: [] as string[] }, { session: [] as string[] }];
const params = z.object({
  path: z
    .string()
    .describe("The stream's name, slashes included; 1 to 1,024 characters, a namespace per tenant."),
});
const REACHING = [
  'INVALID_REQUEST',
  'MISSING_SECRET',
  'INVALID_SECRET',
  'FORBIDDEN',
  'RATE_LIMITED',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
const FINDING = [...REACHING, 'STREAM_NOT_FOUND', 'STREAM_GONE'] as const;

const anything = { '*/*': { schema: z.string().openapi({ format: 'binary' }) } };
const header = (meaning: string) => z.string().optional().describe(meaning);

const offset = {
  'Stream-Next-Offset': z
    .string()
    .describe('Where the next read or append goes on: `{hash}:{chunk}:{position}`.'),
  'Stream-Closed': header('`true` once nothing more will come; else absent.'),
};
const facts = {
  'Stream-Total-Size': z.string().describe('Bytes of the whole stream.'),
  'Stream-Write-Units': z.string().describe('One for each started 4 KB of an append.'),
  'Stream-TTL': header('Seconds without use after which the stream ends.'),
  'Stream-Expires-At': header('When the stream ends, as an RFC 3339 time.'),
};
const producer = {
  'Producer-Id': header('Names an idempotent producer; the three headers come together.'),
  'Producer-Epoch': header("The producer's life; a higher one fences the lower ones."),
  'Producer-Seq': header('Counts from 0 in each epoch; a repeat is answered and not appended again.'),
};

const create = createRoute({
  method: 'put',
  path: PATH,
  operationId: 'createStream',
  tags: [TAG],
  summary: 'Create a stream, or find that the same one is there',
  description:
    'Scope `stream:write`. The body, if any, is the first append. A fork shares the bytes of its source.',
  security,
  request: {
    params,
    headers: z.object({
      'Content-Type': header('Of all its appends; `application/json` makes a stream of messages.'),
      'Stream-TTL': header('Seconds without use after which the stream ends.'),
      'Stream-Expires-At': header('When the stream ends, as an RFC 3339 time; excludes `Stream-TTL`.'),
      'Stream-Closed': header('`true`: nothing may be appended.'),
      'Stream-Forked-From': header(
        'The path of the source, beginning with `/v1/stream/`; forks nest 64 deep.',
      ),
      'Stream-Fork-Offset': header("Where the fork parts from its source; the source's tail by default."),
      'Stream-Fork-Sub-Offset': header(
        'Bytes, or messages of a JSON stream, into the append at that offset.',
      ),
    }),
    body: { content: anything },
  },
  responses: {
    200: { description: 'It was there already, with the same configuration.', headers: z.object(offset) },
    201: {
      description: 'Created, durably.',
      headers: z.object({ ...offset, Location: z.string().describe('Its URL.') }),
    },
    ...errorResponses(
      'TOO_MANY_STREAMS',
      ...REACHING,
      'OFFSET_INVALID',
      'STREAM_NOT_FOUND',
      'STREAM_CONFLICT',
      'CONTENT_TYPE_MISMATCH',
      'BODY_TOO_LARGE',
      'STREAM_CORRUPT',
      'STORAGE_FULL',
    ),
  },
});

const append = createRoute({
  method: 'post',
  path: PATH,
  operationId: 'appendStream',
  tags: [TAG],
  summary: 'Append to a stream, close it, or both',
  description:
    'Scope `stream:write`. Answered once it is on disk. A JSON array is taken apart one level; each element is a message.',
  security,
  request: {
    params,
    headers: z.object({
      'Content-Type': header("The stream's own; needed with a body."),
      'Stream-Closed': header(
        '`true` in any case of letters: closes the stream, after the body if there is one.',
      ),
      'Stream-Seq': header('Must be greater, as text, than the last one given.'),
      ...producer,
    }),
    body: { content: anything },
  },
  responses: {
    200: { description: "A producer's append is durable.", headers: z.object({ ...offset, ...producer }) },
    204: { description: 'Durable; or a repeat of what was.', headers: z.object({ ...offset, ...producer }) },
    ...errorResponses(
      ...FINDING,
      'STREAM_CLOSED',
      'CONTENT_TYPE_MISMATCH',
      'SEQUENCE_CONFLICT',
      'PRODUCER_FENCED',
      'PRODUCER_GAP',
      'STREAM_TOO_LARGE',
      'BODY_TOO_LARGE',
      'STREAM_CORRUPT',
      'STORAGE_FULL',
    ),
  },
});

const read = createRoute({
  method: 'get',
  path: PATH,
  operationId: 'readStream',
  tags: [TAG],
  summary: 'Read from an offset to the tail, or live',
  description:
    'Scope `stream:read`. Without `live`, everything up to the tail seen now, at most 64 MiB. `long-poll` waits for ' +
    'the next append; `sse` sends `data` and `control` events and ends after about a minute, to be resumed by offset.',
  security,
  request: {
    params,
    query: z.object({
      offset: z
        .string()
        .optional()
        .describe('One that the stream gave out; `-1` is the start, `now` the tail.'),
      live: z.enum(['long-poll', 'sse']).optional(),
      cursor: z.string().optional().describe('The `Stream-Cursor` of the last live answer, for caches.'),
    }),
    headers: z.object({ 'If-None-Match': header('The `ETag` of an earlier answer from the same offset.') }),
  },
  responses: {
    200: {
      description: 'The bytes; of a JSON stream, an array of messages; with `live=sse`, `text/event-stream`.',
      content: anything,
      headers: z.object({
        ...offset,
        ...facts,
        'Stream-Up-To-Date': header('`true` where the answer ends at the tail.'),
        'Stream-Cursor': header('Of live answers.'),
        'Stream-SSE-Data-Encoding': header('`base64` where events carry bytes that are no text.'),
        ETag: header('Names this answer.'),
      }),
    },
    204: { description: 'A long-poll ended without news.', headers: z.object(offset) },
    304: { description: 'Nothing is new since `If-None-Match`.' },
    ...errorResponses(...FINDING, 'OFFSET_INVALID', 'TOO_MANY_READERS', 'STREAM_CORRUPT'),
  },
});

const head = createRoute({
  method: 'head',
  path: PATH,
  operationId: 'headStream',
  tags: [TAG],
  summary: 'What a stream is, without its bytes',
  description: 'Scope `stream:read`. Looking does not renew a time to live.',
  security,
  request: { params },
  responses: {
    200: { description: 'It is there.', headers: z.object({ ...offset, ...facts }) },
    ...errorResponses(...FINDING),
  },
});

const remove = createRoute({
  method: 'delete',
  path: PATH,
  operationId: 'deleteStream',
  tags: [TAG],
  summary: 'Delete a stream',
  description: 'Scope `stream:write`. What its forks still need is kept until the last of them goes.',
  security,
  request: { params },
  responses: { 204: { description: 'Gone for its callers.' }, ...errorResponses(...FINDING) },
});

export function describeStreams(app: App): void {
  for (const route of [create, append, read, head, remove]) app.openAPIRegistry.registerPath(route);
}
