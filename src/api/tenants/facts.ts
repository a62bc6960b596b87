import type { Facts } from '../../kernel/operation.js';

export const getTenant: Facts = {
  id: 'getTenant',
  method: 'GET',
  path: '/api/tenant',
  access: { by: 'tenant' },
  body: 'none',
  rate: 'everyone',
  errors: ['STORAGE_UNAVAILABLE', 'invalid_url', 'ssrf_blocked'],
};
