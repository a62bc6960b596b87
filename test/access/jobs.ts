import { idIn, type Part, type World } from './part.js';

async function newJob({ ask, site }: World): Promise<string> {
  return idIn(await ask('POST', '/api/jobs', { json: { kind: 'hello', url: `${site}/hello` } }), 'jobId');
}

async function canceledJob(world: World): Promise<string> {
  const id = await newJob(world);
  await world.ask('POST', `/api/jobs/${id}/cancel`);
  return id;
}

export const JOBS: Part = {
  name: 'jobs',
  rows: {
    listJobs: () => ({ path: '/api/jobs' }),
    createJob: ({ site }) => ({ path: '/api/jobs', json: { kind: 'hello', url: `${site}/hello` } }),
    getJob: async (world) => ({ path: `/api/jobs/${await newJob(world)}` }),
    getJobEvents: async (world) => ({ path: `/api/jobs/${await canceledJob(world)}/events` }),
    cancelJob: async (world) => ({ path: `/api/jobs/${await newJob(world)}/cancel` }),
    retryJob: async (world) => ({ path: `/api/jobs/${await canceledJob(world)}/retry` }),
    deleteJob: async (world) => ({ path: `/api/jobs/${await canceledJob(world)}` }),
  },
};
