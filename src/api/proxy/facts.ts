/**
 * `/v1/proxy`: the durable proxy, and `/r/{route}/…`: a base URL for SDKs, which returns the upstream's own response.
 * Reading a recorded response needs a credential or a signed URL. Aborting by id only accepts a signed URL, and not one
 * for reading. Sharing needs what reading needs, but not a URL for reading.
 */
import type { Facts, Method } from '../../kernel/operation.js';

const SENDING = [
  'STORAGE_UNAVAILABLE',
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
] as const;
const SIGNED = ['SIGNATURE_EXPIRED', 'SIGNATURE_INVALID'] as const;

const ONE = {
  path: '/v1/proxy/{id}',
  credential: 'query',
  body: 'none',
  rate: 'strangers',
  anyHeaders: true,
} as const satisfies Partial<Facts>;

export const createProxied: Facts = {
  ...ONE,
  id: 'createProxied',
  method: 'POST',
  path: '/v1/proxy',
  alias: '/v1/proxy/',
  access: { scope: 'proxy:create' },
  body: 'upstream',
  rate: 'everyone',
  sends: true,
  errors: [...SENDING, 'MISSING_UPSTREAM_URL', 'MISSING_UPSTREAM_METHOD', 'INVALID_UPSTREAM_METHOD'],
};

export const readProxied: Facts = {
  ...ONE,
  id: 'readProxied',
  method: 'GET',
  access: { proof: 'signature', or: 'proxy:read' },
  wire: ['if-none-match'],
  errors: [
    'STORAGE_UNAVAILABLE',
    ...SIGNED,
    'OFFSET_INVALID',
    'STREAM_NOT_FOUND',
    'TOO_MANY_READERS',
    'STREAM_CORRUPT',
  ],
};

export const headProxied: Facts = {
  ...ONE,
  id: 'headProxied',
  method: 'HEAD',
  access: { scope: 'proxy:admin' },
  errors: ['STORAGE_UNAVAILABLE', 'STREAM_NOT_FOUND'],
};

export const abortProxied: Facts = {
  ...ONE,
  id: 'abortProxied',
  method: 'PATCH',
  access: { proof: 'signature' },
  errors: [
    ...SIGNED,
    'MISSING_SIGNATURE',
    'READ_ONLY_URL',
    'INVALID_ACTION',
    'STREAM_NOT_FOUND',
    'STORAGE_UNAVAILABLE',
  ],
};

export const abortProxiedByKey: Facts = {
  ...ONE,
  id: 'abortProxiedByKey',
  method: 'PATCH',
  path: '/v1/proxy',
  access: { scope: 'proxy:create' },
  errors: ['STORAGE_UNAVAILABLE', 'INVALID_REQUEST', 'INVALID_ACTION', 'INVALID_IDEMPOTENCY_KEY'],
};

export const shareProxied: Facts = {
  ...ONE,
  id: 'shareProxied',
  method: 'POST',
  access: { proof: 'signature', or: 'proxy:read' },
  errors: ['STORAGE_UNAVAILABLE', ...SIGNED, 'READ_ONLY_URL', 'INVALID_ACTION', 'STREAM_NOT_FOUND'],
};

export const deleteProxied: Facts = {
  ...ONE,
  id: 'deleteProxied',
  method: 'DELETE',
  access: { scope: 'proxy:admin' },
  errors: ['STORAGE_UNAVAILABLE'],
};

const INLINE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies Method[];

const inline = (method: Method, path: Facts['path'], suffix: string): Facts => ({
  id: `${method.toLowerCase()}Inline${suffix}`,
  method,
  path,
  credential: 'route',
  access: { scope: 'proxy:create' },
  body: 'upstream',
  rate: 'everyone',
  sends: true,
  anyHeaders: true,
  errors: [...SENDING, 'ROUTE_FORBIDDEN', 'NOT_FOUND', 'METHOD_NOT_ALLOWED'],
});

/** A request through a named route, with any method. */
export const inlineOperations: readonly Facts[] = [
  ...INLINE_METHODS.map((method) => inline(method, '/r/{route}', 'Root')),
  ...INLINE_METHODS.map((method) => inline(method, '/r/{route}/{path*}', '')),
];
