/**
 * `/v1/proxy` and `/r/{route}/…` as the OpenAPI document describes them. Bodies are the upstream's; what the proxy
 * says is in headers, so these are listed. The routes themselves are in `proxy.ts` and `inline.ts`.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { App } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';

const TAG = 'Proxy';
const service = [{ bearer: [] as string[] }, { session: [] as string[] }];
const params = z.object({
  id: z.string().describe('The UUIDv7 in the `Location` that the create answered.'),
});
const header = (meaning: string) => z.string().optional().describe(meaning);
const anything = { '*/*': { schema: z.string().openapi({ format: 'binary' }) } };

const signed = {
  expires: z.string().optional().describe('Until when the URL works, in seconds since the epoch.'),
  signature: z.string().optional().describe('HMAC-SHA256 of `{id}:{expires}`, base64url.'),
};
const secret = {
  secret: z.string().optional().describe('The service JWT, for callers that can send no header.'),
};

const upstream = {
  'Upstream-Status': z.string().describe("The upstream's status; 502 where there was no answer."),
  'Upstream-Content-Type': header("The upstream's content type."),
  'Upstream-Headers': header('base64url of JSON `[[name, value], …]`: its safe headers, 8 KB at most.'),
};
const outcome = {
  'Upstream-Outcome': header(
    '`completed`, `aborted`, `timeout` or `failed`; absent while it still comes in.',
  ),
  'Upstream-Error': header('Why, for the last two: a code such as `UPSTREAM_RESET`.'),
};
const stream = {
  'Stream-Next-Offset': z.string().describe('Where the next read goes on: `{hash}:{chunk}:{position}`.'),
  'Stream-Closed': z.string().describe('`true` or `false`.'),
  'Stream-Total-Size': header('Bytes so far, decoded.'),
  'Stream-Write-Units': header('One for each started 4 KB of a record.'),
  'Stream-Expires-At': header('When the stream goes, as an RFC 3339 time.'),
};

const KNOWN = [
  'MISSING_SECRET',
  'INVALID_SECRET',
  'FORBIDDEN',
  'RATE_LIMITED',
] as const satisfies readonly ErrorCode[];
const SIGNED = ['SIGNATURE_EXPIRED', 'SIGNATURE_INVALID'] as const satisfies readonly ErrorCode[];
const SENDING = [
  ...KNOWN,
  'INVALID_REQUEST',
  'INVALID_IDEMPOTENCY_KEY',
  'INVALID_ORPHAN_POLICY',
  'REDIRECT_NOT_ALLOWED',
  'UPSTREAM_NOT_ALLOWED',
  'STREAM_NOT_FOUND',
  'CREATE_IN_PROGRESS',
  'CREATE_INDETERMINATE',
  'BODY_TOO_LARGE',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_STREAMS',
  'UPSTREAM_ERROR',
  'STORAGE_ERROR',
  'STORAGE_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_BODY_TIMEOUT',
  'STORAGE_FULL',
] as const satisfies readonly ErrorCode[];

const sending = {
  'Idempotency-Key': header(
    '1 to 255 visible ASCII characters: one key is at most one request upstream, for 24 h.',
  ),
  'Orphan-Policy': header('`keep`, or `cancel-after=30s`: what becomes of an answer that nobody reads.'),
};
const created = z.object({
  Location: z.string().describe('Signed: whoever has it may read and abort.'),
  ...upstream,
});

const createRequest = {
  headers: z.object({
    'Upstream-URL': z.string().describe('What to call; a pattern of the allowlist must name it.'),
    'Upstream-Method': z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    'Upstream-Authorization': header('Becomes `Authorization`; never stored, never logged.'),
    ...sending,
  }),
  query: z.object(secret),
};

const create = createRoute({
  method: 'post',
  path: '/v1/proxy',
  operationId: 'createProxied',
  tags: [TAG],
  summary: 'Send a request upstream and keep its answer',
  description:
    'Scope `proxy:create`. Headers and body go as they are, but what belongs to one hop or to the proxy.',
  security: service,
  request: createRequest,
  responses: {
    201: { description: 'The upstream answers; its body is being recorded.', headers: created },
    200: { description: 'A repeat: nothing was sent.', headers: created },
    ...errorResponses(
      ...SENDING,
      'MISSING_UPSTREAM_URL',
      'MISSING_UPSTREAM_METHOD',
      'INVALID_UPSTREAM_METHOD',
    ),
  },
});

const read = createRoute({
  method: 'get',
  path: '/v1/proxy/{id}',
  operationId: 'readProxied',
  tags: [TAG],
  summary: 'Read a recorded answer, from any offset, now or as it comes',
  description: 'A signed URL, or scope `proxy:read`. HEAD gives the headers alone, for scope `proxy:admin`.',
  security: [{}, ...service],
  request: {
    params,
    query: z.object({
      ...signed,
      ...secret,
      offset: z.string().optional().describe('`-1`, `now`, or an offset that was given.'),
      live: z.enum(['long-poll', 'sse']).optional(),
      cursor: z.string().optional(),
    }),
  },
  responses: {
    200: {
      description: 'Bytes of the answer.',
      headers: z.object({ ...stream, ...upstream, ...outcome }),
      content: anything,
    },
    204: { description: 'A long-poll in whose time nothing came.' },
    304: { description: 'Nothing has changed.' },
    ...errorResponses(
      ...KNOWN,
      ...SIGNED,
      'INVALID_REQUEST',
      'OFFSET_INVALID',
      'STREAM_NOT_FOUND',
      'TOO_MANY_READERS',
    ),
  },
});

const abort = createRoute({
  method: 'patch',
  path: '/v1/proxy/{id}',
  operationId: 'abortProxied',
  tags: [TAG],
  summary: 'Stop the upstream; what came stays readable',
  description: 'Needs the signed URL; no other credential counts.',
  request: { params, query: z.object({ ...signed, action: z.literal('abort') }) },
  responses: {
    204: { description: 'It is stopped, or had ended.' },
    ...errorResponses(...SIGNED, 'MISSING_SIGNATURE', 'INVALID_ACTION', 'RATE_LIMITED'),
  },
});

const remove = createRoute({
  method: 'delete',
  path: '/v1/proxy/{id}',
  operationId: 'deleteProxied',
  tags: [TAG],
  summary: 'Stop the upstream and remove what was recorded',
  description: 'Scope `proxy:admin`.',
  security: service,
  request: { params, query: z.object(secret) },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(...KNOWN, 'STORAGE_UNAVAILABLE') },
});

const INLINE_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const inline = (method: (typeof INLINE_METHODS)[number]) =>
  createRoute({
    method,
    path: '/r/{route}/{path}',
    operationId: `${method}Inline`,
    tags: [TAG],
    summary: `${method.toUpperCase()} through a named route`,
    description:
      "Scope `proxy:create`. The upstream's own status, safe headers and live body, recorded first; any end but a complete one breaks the connection.",
    security: service,
    request: {
      params: z.object({
        route: z.string(),
        path: z.string().describe('Below the route, slashes included.'),
      }),
      headers: z.object({
        ...sending,
        'Sonde-Authorization': header("The Sonde token where the credential is the caller's."),
      }),
    },
    responses: {
      200: {
        description: "The upstream's status, whatever it is.",
        headers: z.object({
          'Stream-Location': z.string().describe('Signed: where the answer can be read again.'),
        }),
        content: anything,
      },
      ...errorResponses(...SENDING, 'NOT_FOUND', 'METHOD_NOT_ALLOWED'),
    },
  });

export function describeProxy(app: App): void {
  for (const route of [create, read, abort, remove]) app.openAPIRegistry.registerPath(route);
}

export function describeInline(app: App): void {
  for (const method of INLINE_METHODS) app.openAPIRegistry.registerPath(inline(method));
}
