import { idIn, type Part, type World } from './part.js';

const request = { url: 'https://hooks.example.com/access' };

async function newWebhook({ ask }: World): Promise<string> {
  return idIn(await ask('POST', '/api/webhooks', { json: request }), 'webhookId');
}

export const WEBHOOKS: Part = {
  name: 'webhooks',
  rows: {
    listWebhooks: () => ({ path: '/api/webhooks' }),
    createWebhook: () => ({
      path: '/api/webhooks',
      json: request,
      undo: (created) => ({ method: 'DELETE', path: `/api/webhooks/${idIn(created, 'webhookId')}` }),
    }),
    deleteWebhook: async (world) => ({ path: `/api/webhooks/${await newWebhook(world)}` }),
  },
};
