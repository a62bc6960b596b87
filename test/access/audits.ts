import { idIn, type Part, type World } from './part.js';

const request = ({ site, unique }: World) => ({ url: `${site}/${unique()}`, pages: 1 });

async function newAudit(world: World): Promise<string> {
  return idIn(await world.ask('POST', '/api/audits', { json: request(world) }), 'auditId');
}

async function canceledAudit(world: World): Promise<string> {
  const id = await newAudit(world);
  await world.ask('POST', `/api/audits/${id}/cancel`);
  return id;
}

export const AUDITS: Part = {
  name: 'audits',
  rows: {
    listAudits: () => ({ path: '/api/audits' }),
    createAudit: (world) => ({ path: '/api/audits', json: request(world) }),
    getAudit: async (world) => ({ path: `/api/audits/${await newAudit(world)}` }),
    getAuditEvents: async (world) => ({ path: `/api/audits/${await newAudit(world)}/events` }),
    getAuditReport: async (world) => ({ path: `/api/audits/${await newAudit(world)}/report?format=json` }),
    diffAudits: async (world) => ({
      path: `/api/audits/${await newAudit(world)}/diff/${await newAudit(world)}`,
    }),
    cancelAudit: async (world) => ({ path: `/api/audits/${await newAudit(world)}/cancel` }),
    deleteAudit: async (world) => ({ path: `/api/audits/${await canceledAudit(world)}` }),
  },
};
