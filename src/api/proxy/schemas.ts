/** Describes the proxy. Bodies are the upstream's; the proxy itself uses headers. */
import * as z from 'zod';
import type { Facts, ReplySpec, Schemas } from '../../kernel/operation.js';
import { errorsOf } from '../describe-operations.js';
import { readHeaders, readParams, readReplies } from '../streams/schemas.js';
import { ErrorResponse, errorResponses } from '../views/error-responses.js';
import { anyContent, optionalText } from '../views/operation.js';
import { responseHeaders } from '../views/response-headers.js';

const tag = 'Proxy';
const params = z.object({ id: z.string().describe('The UUID in the `Location` of the create response.') });

const signed = {
  expires: optionalText('When the URL stops working, in seconds since the epoch.'),
  signature: optionalText('HMAC-SHA256 of `{id}:{expires}`, or `{id}:{expires}:read`, in base64url.'),
  access: z.literal('read').optional().describe('In a URL that can only read.'),
};
const secret = { secret: optionalText('The service JWT, for clients that cannot send headers.') };

const UPSTREAM_HEADERS = [
  'Upstream-Status?',
  'Upstream-Content-Type?',
  'Upstream-Headers?',
  'Sonde-Attempt?',
] as const;
const OUTCOME_HEADERS = [...UPSTREAM_HEADERS, 'Upstream-Outcome?', 'Upstream-Error?'] as const;
const STATE_HEADERS = [
  'Stream-Next-Offset?',
  'Stream-Closed?',
  'Stream-Total-Size?',
  'Stream-Write-Units?',
  'Stream-Expires-At?',
  ...OUTCOME_HEADERS,
] as const;

const sending = {
  'Idempotency-Key': optionalText(
    '1 to 255 visible ASCII characters. A repeat within 24 hours gets the same response and is not sent, unless the ' +
      'last attempt was refused: with 408, 409, 425, 429 or 5xx and its whole body, or without a connection.',
  ),
  'Orphan-Policy': optionalText(
    '`keep`, or `cancel-after=30s`: what happens to a response that nobody reads.',
  ),
};

/** The upstream's own body, or an error of this server. */
const upstreamContent = {
  'application/json': {
    schema: z.union([
      ErrorResponse,
      z.unknown().meta({ id: 'UpstreamBody', description: "The upstream's own body." }),
    ]),
  },
  ...anyContent,
};

const FORWARDED = 'Forwarded unchanged.';

export const createProxied: Schemas = {
  tag,
  summary: 'Send a request upstream and record its response',
  description:
    'Body and headers are forwarded, except hop-by-hop headers and those of the proxy. A `GET` is sent without a body; ' +
    'one that has a body is refused.',
  headers: z.object({
    'Upstream-URL': z.string().describe('The URL to call. It must match a pattern of the allowlist.'),
    'Upstream-Method': z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    'Upstream-Authorization': optionalText('Sent as `Authorization`. Never stored or logged.'),
    ...sending,
  }),
  query: z.object(secret),
  bytes: FORWARDED,
  replies: {
    201: {
      description:
        'The upstream responded; its body is being recorded or, if there is an outcome, was recorded.',
      headers: responseHeaders('Location', ...OUTCOME_HEADERS),
    },
    200: {
      description: 'A repeat of an earlier request. Nothing was sent.',
      headers: responseHeaders('Location', ...OUTCOME_HEADERS, 'Idempotent-Replayed?'),
    },
    502: {
      ...errorResponses('UPSTREAM_ERROR', 'STORAGE_ERROR')[502],
      description:
        'The upstream failed. With `Upstream-Headers`, the body is the first 64 KB of its own error response, whose ' +
        'status is `Upstream-Status`. Without it, the body is `UPSTREAM_ERROR` or `STORAGE_ERROR`.',
      headers: responseHeaders(...UPSTREAM_HEADERS, 'Idempotent-Replayed?'),
      content: upstreamContent,
    },
  },
};

export const readProxied: Schemas = {
  tag,
  summary: 'Read a recorded response from an offset, up to its tail or live',
  params,
  query: z.object({ ...signed, ...secret, ...readParams }),
  headers: readHeaders,
  replies: readReplies('Bytes of the recorded response.', STATE_HEADERS),
};

export const headProxied: Schemas = {
  tag,
  summary: 'Get the state of a recorded response without its bytes',
  description: 'A signed URL is not enough.',
  params,
  query: z.object(secret),
  replies: {
    200: { description: 'The recorded response exists.', headers: responseHeaders(...STATE_HEADERS) },
  },
};

export const abortProxied: Schemas = {
  tag,
  summary: 'Abort the upstream request',
  description:
    'Needs the signed URL; no other credential is accepted, nor a URL for reading. The data recorded so far stays readable.',
  params,
  query: z.object({ ...signed, action: z.literal('abort') }),
  replies: { 204: { description: 'Aborted, or already ended.' } },
};

export const abortProxiedByKey: Schemas = {
  tag,
  summary: 'Abort a request by its key, even before its upstream has responded',
  description: 'An unknown key is reserved: a later request with it is not sent.',
  headers: z.object({ 'Idempotency-Key': z.string().describe('The key of the request to abort.') }),
  query: z.object({ action: z.literal('abort') }),
  replies: { 204: { description: 'Aborted, or already ended.' } },
};

export const shareProxied: Schemas = {
  tag,
  summary: 'Get a signed URL that can read a recorded response and nothing else',
  description:
    'The signed URL is that of the create, with which the new URL expires. A URL for reading cannot abort, delete or be ' +
    'shared again.',
  params,
  query: z.object({ ...signed, ...secret, action: z.literal('share') }),
  replies: { 201: { description: 'The URL for reading.', headers: responseHeaders('Location') } },
};

export const deleteProxied: Schemas = {
  tag,
  summary: 'Abort the upstream request and delete what was recorded',
  params,
  query: z.object(secret),
  replies: { 204: { description: 'Deleted.' } },
};

const inlineParams = z.object({
  route: z.string().describe('Name of a route in the setting `proxy.routes`.'),
});
const inlinePath = z.string().describe('Path below the route, forwarded unchanged; slashes are not decoded.');
const inlineHeaders = responseHeaders(
  'Stream-Location?',
  'Sonde-Attempt?',
  'Idempotent-Replayed?',
  'Upstream-Status?',
);

/** Any status may be the upstream's own, also those of this server's errors. */
export function inlineSchemas(facts: Facts): Schemas {
  const isHead = facts.method === 'HEAD';
  const content = isHead ? {} : { content: anyContent };
  const errors = Object.entries(errorResponses(...errorsOf(facts))).map(
    ([status, { content: _own, ...error }]): [string, ReplySpec] => [
      status,
      {
        ...error,
        description: `${error.description}, or the upstream's own response.`,
        headers: error.headers?.extend(inlineHeaders.shape) ?? inlineHeaders,
        ...(!isHead && { content: upstreamContent }),
      },
    ],
  );
  return {
    tag,
    summary: `Send a ${facts.method} request through a named route`,
    description:
      "Returns the upstream's own status, safe headers and body, recorded first. Those responses have " +
      '`Stream-Location`; errors of this server do not. If the response does not complete, the connection is reset.',
    params: facts.path.endsWith('*}') ? inlineParams.extend({ path: inlinePath }) : inlineParams,
    headers: z.object({
      ...sending,
      'Sonde-Authorization': optionalText(
        "This server's token, on routes whose upstream takes the caller's own credential.",
      ),
    }),
    bytes: FORWARDED,
    replies: {
      200: { description: "The upstream's response.", headers: inlineHeaders, ...content },
      ...Object.fromEntries(errors),
      default: {
        description: "The upstream's response, with any other status.",
        headers: inlineHeaders,
        ...content,
      },
    },
  };
}
