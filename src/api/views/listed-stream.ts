/** Streams and proxied responses in lists: the OpenAPI schemas, and the mapping from stored streams. */
import * as z from 'zod';
import { fromBase64Url, toBase64Url } from '../../net/index.js';
import {
  type AttemptFacts,
  type ProxyMetadata,
  UPSTREAM_FAULTS,
  UPSTREAM_OUTCOMES,
} from '../../proxy/index.js';
import {
  endOf,
  formatOffset,
  type ListedStream,
  type StreamListPosition,
  splitStreamId,
} from '../../streams/index.js';
import { iso, isoOrNull, time } from './time.js';
import { invalidCursor } from './time-pages.js';

const sharedFields = {
  id: z.string().describe('Path of a stream, or id of a response.'),
  url: z.string().describe('Where it is read, relative to this server.'),
  contentType: z.string(),
  bytes: z.int().min(0).describe('Stored bytes.'),
  state: z.enum(['open', 'closed']),
  offset: z.string().describe('The tail: an offset to follow new data from.'),
  createdAt: time,
  lastAppendAt: time
    .nullable()
    .describe('Null without records, or if they were stored without arrival times.'),
  expiresAt: time.nullable().describe('When it is deleted, unless it is used before then.'),
  damaged: z.boolean().optional().describe('True if stored bytes failed their checksum.'),
};

const StreamEntry = z.object({ kind: z.literal('stream'), ...sharedFields }).meta({ id: 'ListedStream' });

const ResponseEntry = z
  .object({
    kind: z.literal('response'),
    ...sharedFields,
    outcome: z.enum(UPSTREAM_OUTCOMES).nullable().describe('How the upstream ended. Null while it runs.'),
    error: z.enum(UPSTREAM_FAULTS).nullable(),
    route: z.string().nullable().describe('The inline route; null for `/v1/proxy`.'),
    method: z.string(),
    headMs: z
      .number()
      .nullable()
      .describe('Milliseconds from sending the request to the head of the response. Null if not stored.'),
    upstreamStatus: z.int().nullable().describe('Null if there was no response head.'),
    attempts: z
      .int()
      .min(1)
      .describe('How many attempts there have been; this is the response of the last one.'),
    upstreamUrl: z.string().describe('Redacted: values of the query are not stored.'),
  })
  .meta({ id: 'ListedResponse' });

const StreamItem = z.discriminatedUnion('kind', [StreamEntry, ResponseEntry]).meta({ id: 'StreamListItem' });
type StreamItem = z.infer<typeof StreamItem>;

export const StreamPage = z
  .object({ streams: z.array(StreamItem), next: z.string().nullable() })
  .meta({ id: 'StreamList' });
export type StreamPage = z.infer<typeof StreamPage>;

export const AttemptView = z
  .object({
    n: z.int().min(1).describe('1 for the first attempt.'),
    method: z.string(),
    target: z.string().describe('The URL that was called, redacted: values of the query are not stored.'),
    route: z.string().nullable().describe('The inline route; null for `/v1/proxy`.'),
    startedAt: time,
    headAt: time.nullable().describe('When the response head arrived. Null if it did not.'),
    status: z.int().nullable(),
    outcome: z.enum(UPSTREAM_OUTCOMES).nullable().describe('Null while the attempt runs.'),
    error: z.enum(UPSTREAM_FAULTS).nullable(),
    bytes: z.int().min(0).describe('Bytes received of the body.'),
  })
  .meta({ id: 'ProxyAttempt' });

export function attemptView({ startedAt, headAt, ...facts }: AttemptFacts): z.input<typeof AttemptView> {
  return { ...facts, startedAt: iso(startedAt), headAt: isoOrNull(headAt) };
}

export const TimingView = z
  .object({
    createdAt: time,
    bytesBefore: z.int().describe('Bytes of the stream before the first record of this page.'),
    records: z
      .array(z.tuple([z.string(), z.int(), z.number().nullable()]))
      .describe(
        'Offset, stored bytes, and milliseconds after `createdAt`; null if the arrival was not stored.',
      ),
    next: z.string().nullable().describe('Send it as `from` to get the next page. Null at the tail.'),
  })
  .meta({ id: 'StreamTiming' });

export function streamItem(stream: ListedStream): StreamItem {
  const sharedValues = {
    bytes: stream.totalBytes,
    state: stream.closed ? ('closed' as const) : ('open' as const),
    offset: formatOffset(stream.hash, stream.tail),
    createdAt: iso(stream.createdAt),
    lastAppendAt: isoOrNull(stream.appendedAt),
    expiresAt: isoOrNull(endOf(stream)),
    ...(stream.corruptFrom && { damaged: true }),
  };
  const parsedId = splitStreamId(stream.id);
  if (parsedId) {
    const { path } = parsedId;
    return {
      kind: 'stream',
      id: path,
      url: `/v1/stream/${path}`,
      contentType: stream.contentType,
      ...sharedValues,
    };
  }
  const metadata = JSON.parse(stream.metadata ?? '{}') as ProxyMetadata;
  const id = stream.id.slice(stream.id.indexOf('/') + 1);
  return {
    kind: 'response',
    id,
    url: `/v1/proxy/${id}`,
    contentType: metadata.upstream_content_type ?? stream.contentType,
    ...sharedValues,
    outcome: metadata.outcome ?? null,
    error: metadata.error ?? null,
    route: metadata.route ?? null,
    method: metadata.upstream_method,
    headMs: metadata.upstream_head_ms ?? null,
    upstreamStatus: metadata.upstream_status,
    attempts: metadata.attempt ?? 1,
    upstreamUrl: metadata.upstream_url,
  };
}

export function encodeCursor({ createdAt, id }: StreamListPosition): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify([createdAt, id])));
}

const Cursor = z.tuple([z.int(), z.string().max(2048)]);

export function decodeCursor(text: string): StreamListPosition {
  try {
    const [createdAt, id] = Cursor.parse(JSON.parse(new TextDecoder().decode(fromBase64Url(text))));
    return { createdAt, id };
  } catch {
    throw invalidCursor();
  }
}
