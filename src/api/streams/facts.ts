/** `/v1/stream/*`: the Durable Streams protocol. Each tenant has its own namespace of paths. */
import type { Facts } from '../../kernel/operation.js';

const ONE = {
  path: '/v1/stream/{path*}',
  rate: 'strangers',
} as const satisfies Partial<Facts>;

const EXISTING = ['STORAGE_UNAVAILABLE', 'NOT_FOUND', 'STREAM_NOT_FOUND', 'STREAM_GONE'] as const;

export const createStream: Facts = {
  ...ONE,
  id: 'createStream',
  method: 'PUT',
  access: { scope: 'stream:write' },
  body: 'bytes',
  wire: [
    'content-type',
    'stream-closed',
    'stream-expires-at',
    'stream-fork-offset',
    'stream-fork-sub-offset',
    'stream-forked-from',
    'stream-ttl',
  ],
  errors: [
    'STORAGE_UNAVAILABLE',
    'NOT_FOUND',
    'TOO_MANY_STREAMS',
    'CLOCK_UNTRUSTED',
    'QUOTA_EXCEEDED',
    'OFFSET_INVALID',
    'STREAM_NOT_FOUND',
    'STREAM_CONFLICT',
    'STREAM_GONE',
    'CONTENT_TYPE_MISMATCH',
    'STREAM_TOO_LARGE',
    'STREAM_CORRUPT',
    'STORAGE_FULL',
  ],
};

export const appendStream: Facts = {
  ...ONE,
  id: 'appendStream',
  method: 'POST',
  access: { scope: 'stream:write' },
  body: 'bytes',
  wire: ['content-type', 'producer-epoch', 'producer-id', 'producer-seq', 'stream-closed', 'stream-seq'],
  errors: [
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
  ],
};

export const readStream: Facts = {
  ...ONE,
  id: 'readStream',
  method: 'GET',
  access: { scope: 'stream:read' },
  body: 'none',
  wire: ['if-none-match'],
  errors: [...EXISTING, 'OFFSET_INVALID', 'TOO_MANY_READERS', 'STREAM_CORRUPT'],
};

export const headStream: Facts = {
  ...ONE,
  id: 'headStream',
  method: 'HEAD',
  access: { scope: 'stream:read' },
  body: 'none',
  wire: [],
  errors: EXISTING,
};

export const deleteStream: Facts = {
  ...ONE,
  id: 'deleteStream',
  method: 'DELETE',
  access: { scope: 'stream:write' },
  body: 'none',
  wire: [],
  errors: EXISTING,
};
