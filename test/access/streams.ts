import type { Part, Target, World } from './part.js';

const typed = { 'content-type': 'text/plain' };

async function newStream({ ask, unique }: World): Promise<string> {
  const path = `/v1/stream/shelf/${unique()}`;
  await ask('PUT', path, { headers: typed, body: 'first' });
  return path;
}

export const STREAMS: Part = {
  name: 'streams',
  rows: {
    createStream: ({ unique }) => ({ path: `/v1/stream/shelf/${unique()}`, headers: typed, text: 'first' }),
    appendStream: async (world) => ({ path: await newStream(world), headers: typed, text: 'more' }),
    readStream: async (world) => ({ path: await newStream(world) }),
    headStream: async (world) => ({ path: await newStream(world) }),
    deleteStream: async (world) => ({ path: await newStream(world) }),
    listStreams: () => ({ path: '/api/streams' }),
    getStreamTiming: async (world) => {
      const stream = (await newStream(world)).slice('/v1/stream/'.length);
      return { path: `/api/streams/timing?stream=${encodeURIComponent(stream)}` };
    },
    listAttempts: () => ({ path: '/api/streams/attempts?response=019a0000-0000-7000-8000-000000000001' }),
  },
};

interface Wake {
  readonly wake_id: string;
  readonly generation: number;
  readonly token: string;
}

const configOf = (id: string) => ({
  type: 'pull-wake',
  streams: [`followed/${id}`],
  wake_stream: `wakes/${id}`,
});

async function newSubscription({ ask, unique }: World): Promise<string> {
  const id = unique();
  const path = `/v1/stream/__ds/subscriptions/${id}`;
  await ask('PUT', `/v1/stream/followed/${id}`, { headers: typed });
  await ask('PUT', path, { json: configOf(id) });
  await ask('POST', `/v1/stream/followed/${id}`, { headers: typed, body: 'new' });
  return path;
}

async function held(world: World, action: string): Promise<Target> {
  const path = await newSubscription(world);
  const claimed = await world.ask('POST', `${path}/claim`, { json: { worker: 'ann' } });
  const { wake_id, generation, token } = JSON.parse(claimed.text) as Wake;
  return {
    path: `${path}/${action}`,
    json: { wake_id, generation },
    proofs: { 'its holder': { headers: { authorization: `Bearer ${token}` } } },
  };
}

export const SUBSCRIPTIONS: Part = {
  name: 'subscriptions',
  rows: {
    createSubscription: ({ unique }) => {
      const id = unique();
      return { path: `/v1/stream/__ds/subscriptions/${id}`, json: configOf(id) };
    },
    getSubscription: async (world) => ({ path: await newSubscription(world) }),
    deleteSubscription: async (world) => ({ path: await newSubscription(world) }),
    addSubscriptionStreams: async (world) => ({
      path: `${await newSubscription(world)}/streams`,
      json: { streams: ['shelf/more'] },
    }),
    removeSubscriptionStream: async (world) => ({
      path: `${await newSubscription(world)}/streams/shelf%2Fmore`,
    }),
    claimWake: async (world) => ({ path: `${await newSubscription(world)}/claim`, json: { worker: 'ann' } }),
    callbackWake: (world) => held(world, 'callback'),
    ackWake: (world) => held(world, 'ack'),
    releaseWake: (world) => held(world, 'release'),
    getWebhookKeys: () => ({ path: '/v1/stream/__ds/jwks.json' }),
  },
  paths: [
    '/v1/stream/__ds',
    '/v1/stream/__ds/',
    '/v1/stream/__ds/none',
    '/v1/stream/__ds/subscriptions/x/none',
  ],
};
