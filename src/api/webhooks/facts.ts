/** `/api/webhooks`: receivers that are notified of a tenant's finished jobs. */
import type { Facts } from '../../kernel/operation.js';

const LIST = '/api/webhooks';

const OF_ADMINS = {
  access: { scope: 'admin' },
  body: 'none',
  rate: 'everyone',
} as const satisfies Partial<Facts>;

export const listWebhooks: Facts = {
  ...OF_ADMINS,
  id: 'listWebhooks',
  method: 'GET',
  path: LIST,
  errors: ['STORAGE_UNAVAILABLE'],
};

export const createWebhook: Facts = {
  ...OF_ADMINS,
  id: 'createWebhook',
  method: 'POST',
  path: LIST,
  body: 'json',
  creates: true,
  errors: ['STORAGE_UNAVAILABLE', 'WEBHOOK_URL_REJECTED'],
};

export const deleteWebhook: Facts = {
  ...OF_ADMINS,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: `${LIST}/{webhookId}`,
  errors: ['STORAGE_UNAVAILABLE', 'WEBHOOK_NOT_FOUND'],
};
