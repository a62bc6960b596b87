/** Everything that is limited per tenant, and how a client takes one more of it. */
import { setMaxListeners } from 'node:events';
import { mintToken } from '../../src/api/auth/mint-token.js';
import type { ErrorCode } from '../../src/errors.js';
import type { Quotas } from '../../src/jobs/index.js';

const BYTES = 300;
/** Few, because all of them must be in progress at once. */
const PROBES = 3;

export function quotasFor(limit: number): Quotas {
  return {
    jobsQueued: limit,
    // None runs, so queued jobs stay queued.
    jobsRunning: 0,
    webhooks: limit,
    openStreams: limit,
    subscriptions: limit,
    // Each subscription with its one stream, and further streams of the first.
    subscriptionEntries: 3 * limit,
    proxyStreams: limit,
    liveReaders: limit,
    // A few bytes are taken by proxied responses.
    storedBytes: (limit + 0.5) * BYTES,
    probes: Math.min(limit, PROBES),
  };
}

export interface TenantClient {
  readonly upstream: string;
  /** Resolves when the upstream has received one more request for `/silent`. */
  silentArrived(): Promise<void>;
  send(method: string, path: string, init?: Omit<RequestInit, 'method' | 'signal'>): Promise<Response>;
  /** Ends every open request. */
  leave(): void;
}

interface ClientOptions {
  readonly url: string;
  readonly tenant: string;
  readonly secret: string;
  readonly upstream?: string;
  readonly silentArrived?: () => Promise<void>;
}

export async function tenantClient({
  url,
  tenant,
  secret,
  upstream = '',
  silentArrived = async () => {},
}: ClientOptions): Promise<TenantClient> {
  const token = await mintToken({ secret, tenant, scopes: ['admin'], expiresInSeconds: 3_600 });
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  // fetch() closes the connection of a response that is no longer referenced, so readers are held here.
  const held: Response[] = [];
  return {
    upstream,
    silentArrived,
    leave: () => gone.abort(),
    async send(method, path, init = {}) {
      const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
      const response = await fetch(url + path, { ...init, method, headers, signal: gone.signal });
      if (response.headers.get('content-type') === 'text/event-stream') held.push(response);
      return response;
    },
  };
}

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Takes one more. The response of a reader stays open. */
type Take = (client: TenantClient, n: number, limit: number) => Promise<Pick<Response, 'status' | 'text'>>;

export interface TenantLimit {
  readonly name: string;
  readonly code: ErrorCode;
  readonly take: Take;
}

async function firstJobOf(client: TenantClient): Promise<string> {
  const { jobs } = await (await client.send('GET', '/api/jobs?limit=1')).json();
  return jobs[0].jobId;
}

async function sendUpstream(client: TenantClient, path: string): Promise<Response> {
  const headers = { 'upstream-url': `${client.upstream}${path}`, 'upstream-method': 'GET' };
  return client.send('POST', '/v1/proxy', { headers });
}

/** Ordered so that each limit can be reached while those before it are. */
export const LIMITS: readonly TenantLimit[] = [
  {
    name: 'webhooks',
    code: 'QUOTA_EXCEEDED',
    take: (client, n) =>
      client.send('POST', '/api/webhooks', json({ url: `https://hooks.example.com/${n}` })),
  },
  {
    name: 'queued jobs',
    code: 'QUOTA_EXCEEDED',
    take: (client, n) =>
      client.send('POST', '/api/jobs', json({ kind: 'hello', url: `${client.upstream}/${n}` })),
  },
  {
    name: 'readers of events',
    code: 'TOO_MANY_READERS',
    take: async (client) => {
      const headers = { accept: 'text/event-stream' };
      return client.send('GET', `/api/jobs/${await firstJobOf(client)}/events`, { headers });
    },
  },
  {
    name: 'open streams',
    code: 'TOO_MANY_STREAMS',
    take: (client, n) =>
      client.send('PUT', `/v1/stream/s${n}`, { headers: { 'content-type': 'text/plain' } }),
  },
  {
    name: 'live readers',
    code: 'TOO_MANY_READERS',
    take: (client) => client.send('GET', '/v1/stream/s0?offset=-1&live=sse'),
  },
  {
    name: 'subscriptions',
    code: 'TOO_MANY_SUBSCRIPTIONS',
    take: (client, n) =>
      client.send(
        'PUT',
        `/v1/stream/__ds/subscriptions/s${n}`,
        json({ type: 'pull-wake', wake_stream: 'w', streams: ['a'] }),
      ),
  },
  {
    name: 'streams of subscriptions',
    code: 'TOO_MANY_SUBSCRIPTIONS',
    take: (client, n) =>
      client.send('POST', '/v1/stream/__ds/subscriptions/s0/streams', json({ streams: [`more-${n}`] })),
  },
  {
    name: 'upstream requests, of which the last is still being opened',
    code: 'TOO_MANY_STREAMS',
    take: async (client, n, limit) => {
      if (n !== limit - 1) return sendUpstream(client, '/slow');
      const arrived = client.silentArrived();
      sendUpstream(client, '/silent').catch(() => {
        // It ends with the client.
      });
      await arrived;
      return Response.json({});
    },
  },
  {
    name: 'probes',
    code: 'QUOTA_EXCEEDED',
    // A probe ends after a while, so an attempt to exceed the limit first fills it again.
    take: async (client, n) => {
      for (let attempt = 0; ; attempt++) {
        const arrived = client.silentArrived().then(() => Response.json({}));
        const url = encodeURIComponent(`${client.upstream}/silent`);
        const answered = client.send('GET', `/api/probe?url=${url}`);
        answered.catch(() => {
          // It ends with the client.
        });
        const response = await Promise.race([arrived, answered]);
        if (response.status === 429 || n < PROBES || attempt > PROBES) return response;
      }
    },
  },
  {
    name: 'stored bytes',
    code: 'QUOTA_EXCEEDED',
    take: (client) =>
      client.send('POST', '/v1/stream/s0', {
        headers: { 'content-type': 'text/plain' },
        body: 'x'.repeat(BYTES),
      }),
  },
];
