/**
 * The OpenAPI description of `/v1/proxy` and `/r/{route}/…`. Bodies are the upstream's; the proxy itself uses headers.
 * The routes are in `proxy.ts` and `inline.ts`.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { App } from '../app-env.js';
import { ErrorResponse, errorResponses, STORE_ERRORS, storeErrors } from '../views/error-responses.js';
import { anyContent, NO_SECURITY, operations, optionalText, SERVICE_SECURITY } from '../views/operation.js';
import { responseHeaders } from '../views/response-headers.js';
import { readHeaders, readParams, readResponses } from './streams-openapi.js';

const operation = operations('Proxy');
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

const SIGNED = ['SIGNATURE_EXPIRED', 'SIGNATURE_INVALID'] as const satisfies readonly ErrorCode[];
const SENDING = [
  ...STORE_ERRORS,
  'INVALID_IDEMPOTENCY_KEY',
  'INVALID_ORPHAN_POLICY',
  'REDIRECT_NOT_ALLOWED',
  'UPSTREAM_NOT_ALLOWED',
  'HEADER_NOT_SUPPORTED',
  'STREAM_NOT_FOUND',
  'CREATE_IN_PROGRESS',
  'CREATE_INDETERMINATE',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_STREAMS',
  'QUOTA_EXCEEDED',
  'UPSTREAM_ERROR',
  'STORAGE_ERROR',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_BODY_TIMEOUT',
  'STORAGE_FULL',
] as const satisfies readonly ErrorCode[];

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
      z.unknown().openapi('UpstreamBody', { description: "The upstream's own body." }),
    ]),
  },
  ...anyContent,
};

const create = operation.post('/v1/proxy', 'createProxied', {
  summary: 'Send a request upstream and record its response',
  description:
    'Scope `proxy:create`. Body and headers are forwarded, except hop-by-hop headers and those of the proxy. A `GET` ' +
    'is sent without a body; one that has a body is refused.',
  request: {
    headers: z.object({
      'Upstream-URL': z.string().describe('The URL to call. It must match a pattern of the allowlist.'),
      'Upstream-Method': z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      'Upstream-Authorization': optionalText('Sent as `Authorization`. Never stored or logged.'),
      ...sending,
    }),
    query: z.object(secret),
    body: { description: 'Forwarded unchanged.', content: anyContent },
  },
  responses: {
    201: {
      description:
        'The upstream responded; its body is being recorded or, if there is an outcome, was recorded.',
      headers: responseHeaders('Location', ...OUTCOME_HEADERS),
    },
    200: {
      description: 'A repeat of an earlier request. Nothing was sent.',
      headers: responseHeaders('Location', ...OUTCOME_HEADERS, 'Idempotent-Replayed?'),
    },
    ...errorResponses(
      ...SENDING,
      'MISSING_UPSTREAM_URL',
      'MISSING_UPSTREAM_METHOD',
      'INVALID_UPSTREAM_METHOD',
    ),
    502: {
      ...errorResponses('UPSTREAM_ERROR', 'STORAGE_ERROR')[502],
      description:
        'The upstream failed. With `Upstream-Headers`, the body is the first 64 KB of its own error response, whose ' +
        'status is `Upstream-Status`. Without it, the body is `UPSTREAM_ERROR` or `STORAGE_ERROR`.',
      headers: responseHeaders(...UPSTREAM_HEADERS, 'Idempotent-Replayed?'),
      content: upstreamContent,
    },
  },
});

const read = operation.get('/v1/proxy/{id}', 'readProxied', {
  summary: 'Read a recorded response from an offset, up to its tail or live',
  description: 'Needs a signed URL or the scope `proxy:read`.',
  security: [{}, ...SERVICE_SECURITY],
  request: { params, query: z.object({ ...signed, ...secret, ...readParams }), headers: readHeaders },
  responses: {
    ...readResponses('Bytes of the recorded response.', STATE_HEADERS),
    ...storeErrors(...SIGNED, 'OFFSET_INVALID', 'STREAM_NOT_FOUND', 'TOO_MANY_READERS', 'STREAM_CORRUPT'),
  },
});

const head = operation.head('/v1/proxy/{id}', 'headProxied', {
  summary: 'Get the state of a recorded response without its bytes',
  description: 'Scope `proxy:admin`; a signed URL is not enough.',
  request: { params, query: z.object(secret) },
  responses: {
    200: { description: 'The recorded response exists.', headers: responseHeaders(...STATE_HEADERS) },
    ...storeErrors('STREAM_NOT_FOUND'),
  },
});

const abort = operation.patch('/v1/proxy/{id}', 'abortProxied', {
  summary: 'Abort the upstream request',
  description:
    'Needs the signed URL; no other credential is accepted, nor a URL for reading. The data recorded so far stays readable.',
  security: NO_SECURITY,
  request: { params, query: z.object({ ...signed, action: z.literal('abort') }) },
  responses: {
    204: { description: 'Aborted, or already ended.' },
    ...errorResponses(
      ...SIGNED,
      'MISSING_SIGNATURE',
      'READ_ONLY_URL',
      'INVALID_ACTION',
      'RATE_LIMITED',
      'STREAM_NOT_FOUND',
      'STORAGE_UNAVAILABLE',
    ),
  },
});

const abortByKey = operation.patch('/v1/proxy', 'abortProxiedByKey', {
  summary: 'Abort a request by its key, even before its upstream has responded',
  description: 'Scope `proxy:create`. An unknown key is reserved: a later request with it is not sent.',
  request: {
    headers: z.object({ 'Idempotency-Key': z.string().describe('The key of the request to abort.') }),
    query: z.object({ action: z.literal('abort') }),
  },
  responses: {
    204: { description: 'Aborted, or already ended.' },
    ...storeErrors('INVALID_REQUEST', 'INVALID_ACTION', 'INVALID_IDEMPOTENCY_KEY'),
  },
});

const share = operation.post('/v1/proxy/{id}', 'shareProxied', {
  summary: 'Get a signed URL that can read a recorded response and nothing else',
  description:
    'Needs the scope `proxy:read`, or the signed URL of the create, with which the new URL expires. A URL for reading ' +
    'cannot abort, delete or be shared again.',
  security: [{}, ...SERVICE_SECURITY],
  request: { params, query: z.object({ ...signed, ...secret, action: z.literal('share') }) },
  responses: {
    201: { description: 'The URL for reading.', headers: responseHeaders('Location') },
    ...storeErrors(...SIGNED, 'READ_ONLY_URL', 'INVALID_ACTION', 'STREAM_NOT_FOUND'),
  },
});

const remove = operation.delete('/v1/proxy/{id}', 'deleteProxied', {
  summary: 'Abort the upstream request and delete what was recorded',
  description: 'Scope `proxy:admin`.',
  request: { params, query: z.object(secret) },
  responses: { 204: { description: 'Deleted.' }, ...storeErrors() },
});

export const INLINE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type InlineMethod = Lowercase<(typeof INLINE_METHODS)[number]>;

const route = z.string().describe('Name of a route in the setting `proxy.routes`.');
const INLINE_PATHS = [
  { path: '/r/{route}', suffix: 'Root', params: z.object({ route }) },
  {
    path: '/r/{route}/{path}',
    suffix: '',
    params: z.object({
      route,
      path: z.string().describe('Path below the route, forwarded unchanged; slashes are not decoded.'),
    }),
  },
];

const inline = (method: InlineMethod, { path, suffix, params: names }: (typeof INLINE_PATHS)[number]) => {
  const headers = responseHeaders(
    'Stream-Location?',
    'Sonde-Attempt?',
    'Idempotent-Replayed?',
    'Upstream-Status?',
  );
  const errors = Object.entries(
    errorResponses(...SENDING, 'ROUTE_FORBIDDEN', 'NOT_FOUND', 'METHOD_NOT_ALLOWED'),
  );
  const isHead = method === 'head';
  return createRoute({
    tags: ['Proxy'],
    security: SERVICE_SECURITY,
    method,
    path,
    operationId: `${method}Inline${suffix}`,
    summary: `Send a ${method.toUpperCase()} request through a named route`,
    description:
      "Scope `proxy:create`. Returns the upstream's own status, safe headers and body, recorded first. Those " +
      'responses have `Stream-Location`; errors of this server do not. If the response does not complete, the ' +
      'connection is reset.',
    request: {
      params: names,
      headers: z.object({
        ...sending,
        'Sonde-Authorization': optionalText(
          "This server's token, on routes whose upstream takes the caller's own credential.",
        ),
      }),
      ...(method !== 'get' &&
        !isHead && { body: { description: 'Forwarded unchanged.', content: anyContent } }),
    },
    responses: {
      200: { description: "The upstream's response.", headers, ...(!isHead && { content: anyContent }) },
      ...Object.fromEntries(
        errors.map(([status, error]) => [
          status,
          {
            ...error,
            description: `${error.description}, or the upstream's own response.`,
            headers: error.headers?.extend(headers.shape) ?? headers,
            content: isHead ? undefined : upstreamContent,
          },
        ]),
      ),
      default: {
        description: "The upstream's response, with any other status.",
        headers,
        ...(!isHead && { content: anyContent }),
      },
    },
  });
};

export function describeProxy(app: App): void {
  for (const operation of [create, read, head, abort, share, abortByKey, remove]) {
    app.openAPIRegistry.registerPath(operation);
  }
}

export function describeInline(app: App): void {
  for (const form of INLINE_PATHS) {
    for (const method of INLINE_METHODS) {
      app.openAPIRegistry.registerPath(inline(method.toLowerCase() as InlineMethod, form));
    }
  }
}
