/**
 * `/v1/stream/__ds/*`: subscriptions of the Durable Streams protocol. A subscription belongs to a tenant. The holder of
 * a wake acknowledges it with the wake's own token and needs no other credential.
 */
import type { Facts } from '../../kernel/operation.js';

const BASE = '/v1/stream/__ds';
const ONE = `${BASE}/subscriptions/{id}` as const;
const HOLDING = ['TOKEN_INVALID', 'FENCED', 'STORAGE_UNAVAILABLE', 'STORAGE_FULL'] as const;

export const createSubscription: Facts = {
  id: 'createSubscription',
  method: 'PUT',
  path: ONE,
  access: { scope: 'stream:write' },
  body: 'bytes',
  rate: 'strangers',
  errors: [
    'STORAGE_UNAVAILABLE',
    'STORAGE_FULL',
    'WEBHOOK_URL_REJECTED',
    'SUBSCRIPTION_ALREADY_EXISTS',
    'SUBSCRIPTION_TOO_LARGE',
    'TOO_MANY_SUBSCRIPTIONS',
  ],
};

export const getSubscription: Facts = {
  id: 'getSubscription',
  method: 'GET',
  path: ONE,
  access: { scope: 'stream:read' },
  body: 'none',
  rate: 'strangers',
  errors: ['STORAGE_UNAVAILABLE', 'SUBSCRIPTION_NOT_FOUND'],
};

export const deleteSubscription: Facts = {
  id: 'deleteSubscription',
  method: 'DELETE',
  path: ONE,
  access: { scope: 'stream:write' },
  body: 'none',
  rate: 'strangers',
  errors: ['STORAGE_UNAVAILABLE', 'STORAGE_FULL'],
};

export const addSubscriptionStreams: Facts = {
  id: 'addSubscriptionStreams',
  method: 'POST',
  path: `${ONE}/streams`,
  access: { scope: 'stream:write' },
  body: 'bytes',
  rate: 'strangers',
  errors: [
    'STORAGE_UNAVAILABLE',
    'STORAGE_FULL',
    'SUBSCRIPTION_NOT_FOUND',
    'SUBSCRIPTION_TOO_LARGE',
    'TOO_MANY_SUBSCRIPTIONS',
  ],
};

export const removeSubscriptionStream: Facts = {
  id: 'removeSubscriptionStream',
  method: 'DELETE',
  path: `${ONE}/streams/{path*}`,
  access: { scope: 'stream:write' },
  body: 'none',
  rate: 'strangers',
  errors: ['STORAGE_UNAVAILABLE', 'STORAGE_FULL', 'SUBSCRIPTION_NOT_FOUND'],
};

export const claimWake: Facts = {
  id: 'claimWake',
  method: 'POST',
  path: `${ONE}/claim`,
  access: { scope: 'stream:write' },
  body: 'bytes',
  rate: 'strangers',
  errors: [
    'STORAGE_UNAVAILABLE',
    'STORAGE_FULL',
    'SUBSCRIPTION_NOT_FOUND',
    'ALREADY_CLAIMED',
    'NO_PENDING_WORK',
  ],
};

export const callbackWake: Facts = {
  id: 'callbackWake',
  method: 'POST',
  path: `${ONE}/callback`,
  access: { proof: 'holder' },
  body: 'bytes',
  rate: 'strangers',
  errors: [...HOLDING, 'INVALID_OFFSET', 'SUBSCRIPTION_TOO_LARGE'],
};

export const ackWake: Facts = { ...callbackWake, id: 'ackWake', path: `${ONE}/ack` };

export const releaseWake: Facts = {
  ...callbackWake,
  id: 'releaseWake',
  path: `${ONE}/release`,
  errors: HOLDING,
};

export const getWebhookKeys: Facts = {
  id: 'getWebhookKeys',
  method: 'GET',
  path: `${BASE}/jwks.json`,
  access: { by: 'anyone' },
  body: 'none',
  rate: 'strangers',
  errors: [],
};
