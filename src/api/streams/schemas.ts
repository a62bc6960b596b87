/** Describes the protocol. Bodies are the content of streams; everything else is in headers and the query. */
import * as z from 'zod';
import type { Schemas } from '../../kernel/operation.js';
import { anyContent, optionalText } from '../views/operation.js';
import { type ListedHeader, responseHeaders } from '../views/response-headers.js';

const tag = 'Streams';
const params = z.object({
  path: z
    .string()
    .describe('Name of the stream, 1 to 1,024 characters, unique per tenant. A slash may be sent as `%2F`.'),
});
const STATE_HEADERS = [
  'Stream-Next-Offset?',
  'Stream-Closed?',
  'Stream-Total-Size?',
  'Stream-Write-Units?',
  'Stream-TTL?',
  'Stream-Expires-At?',
] as const;

/** Of a read of a stream, or of the stream of a proxied response. */
export const readParams = {
  offset: optionalText('An offset from an earlier response, `-1` for the start, or `now`.'),
  live: z.enum(['long-poll', 'sse']).optional(),
  cursor: optionalText('`Stream-Cursor` of the last live response.'),
};
export const readHeaders = z.object({
  'If-None-Match': optionalText('`ETag` of an earlier response from the same offset.'),
});

export const readReplies = (description: string, state: readonly ListedHeader[]) => {
  const reached = [...state, 'Stream-Up-To-Date?'] as const;
  const sent = responseHeaders(...reached, 'Stream-Cursor?', 'Stream-SSE-Data-Encoding?', 'ETag?');
  return {
    200: { description, content: anyContent, headers: sent },
    204: {
      description: 'A long-poll without new data.',
      headers: responseHeaders(...reached, 'Stream-Cursor?'),
    },
    304: {
      description: 'Nothing has changed since `If-None-Match`.',
      headers: responseHeaders(...reached, 'ETag?'),
    },
  };
};

export const createStream: Schemas = {
  tag,
  summary: 'Create a stream',
  description:
    'The body, if any, is the first append. Repeating the request with the same configuration returns 200. A fork ' +
    'shares the bytes of its source.',
  params,
  headers: z.object({
    'Content-Type': optionalText(
      'Content type of all appends; `application/json` makes a stream of messages.',
    ),
    'Stream-TTL': optionalText('Seconds without use after which the stream expires.'),
    'Stream-Expires-At': optionalText(
      'When the stream expires, as an RFC 3339 time. Cannot be combined with `Stream-TTL`.',
    ),
    'Stream-Closed': optionalText('`true`: close the stream after this request.'),
    'Stream-Forked-From': optionalText('Path of the source, with `/v1/stream/`. Forks nest up to 64 levels.'),
    'Stream-Fork-Offset': optionalText(
      "Offset at which the fork leaves its source. Default: the source's tail.",
    ),
    'Stream-Fork-Sub-Offset': optionalText(
      'Bytes, or messages of a JSON stream, into the append at that offset.',
    ),
  }),
  replies: {
    200: {
      description: 'The stream already exists with the same configuration.',
      headers: responseHeaders('Stream-Next-Offset', 'Stream-Closed?'),
    },
    201: {
      description: 'Created durably.',
      headers: responseHeaders('Location', 'Stream-Next-Offset', 'Stream-Closed?'),
    },
  },
};

const appended = responseHeaders('Stream-Next-Offset', 'Stream-Closed?', 'Producer-Epoch?', 'Producer-Seq?');

export const appendStream: Schemas = {
  tag,
  summary: 'Append to a stream, close it, or both',
  description:
    'The response is sent once the append is on disk. Each element of a JSON array is one message.',
  params,
  headers: z.object({
    'Content-Type': optionalText("The stream's content type. Required with a body."),
    'Stream-Closed': optionalText('`true`: close the stream, after the body if there is one.'),
    'Stream-Seq': optionalText('Must sort after the last one, compared as text.'),
    'Producer-Id': optionalText('Identifies an idempotent producer. The three headers go together.'),
    'Producer-Epoch': optionalText('A higher epoch fences all lower ones.'),
    'Producer-Seq': optionalText(
      'Counts from 0 in each epoch. A repeat is acknowledged, not appended again.',
    ),
  }),
  replies: {
    200: { description: 'The append of a producer is durable.', headers: appended },
    204: { description: 'The append is durable, or repeats one that is.', headers: appended },
  },
};

export const readStream: Schemas = {
  tag,
  summary: 'Read a stream from an offset, up to its tail or live',
  description:
    'Without `live`, everything up to the current tail, at most 64 MiB. `long-poll` waits for the next append. `sse` ' +
    'sends `data` and `control` events and ends after about a minute; resume it by offset.',
  params,
  query: z.object(readParams),
  headers: readHeaders,
  replies: readReplies(
    'The bytes, an array of messages (JSON streams), or server-sent events (`live=sse`).',
    STATE_HEADERS,
  ),
};

export const headStream: Schemas = {
  tag,
  summary: 'Get the state of a stream without its bytes',
  description: 'Does not renew a time to live.',
  params,
  replies: { 200: { description: 'The stream exists.', headers: responseHeaders(...STATE_HEADERS) } },
};

export const deleteStream: Schemas = {
  tag,
  summary: 'Delete a stream',
  description: 'Bytes that forks share are kept until the last fork is deleted.',
  params,
  replies: { 204: { description: 'Deleted.' } },
};
