import type { Part } from './part.js';

export const SESSION: Part = {
  name: 'session',
  rows: {
    getSession: () => ({ path: '/api/session' }),
    createSession: async ({ loginCode }) => ({ path: '/api/session', json: { code: await loginCode() } }),
    deleteSession: () => ({ path: '/api/session' }),
    getTenant: () => ({ path: '/api/tenant' }),
  },
};
