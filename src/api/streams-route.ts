/**
 * `/v1/stream/*`: the Durable Streams protocol. Paths are a namespace per tenant. The operations live in
 * `streams/`; this file knows who may call them, what a stream is called, and how an answer leaves.
 */
import { SondeError } from '../errors.js';
import type { StreamAnswer, StreamCall, StreamService } from '../streams/index.js';
import type { App, AppContext, AppDeps } from './app-env.js';
import { demandScope } from './auth/require-scope.js';
import { absoluteUrl } from './outward.js';
import { streamResponse } from './stream-response.js';

const PREFIX = '/v1/stream/';
const PATH_CHARS_MAX = 1024;

type Operation = (service: StreamService, call: StreamCall) => Promise<StreamAnswer>;

const OPERATIONS: Readonly<
  Record<string, { readonly scope: 'stream:read' | 'stream:write'; readonly run: Operation }>
> = {
  PUT: { scope: 'stream:write', run: (service, call) => service.create(call) },
  POST: { scope: 'stream:write', run: (service, call) => service.append(call) },
  DELETE: { scope: 'stream:write', run: (service, call) => service.remove(call) },
  GET: { scope: 'stream:read', run: (service, call) => service.read(call) },
  HEAD: { scope: 'stream:read', run: (service, call) => service.head(call) },
};

export function addStreams(app: App, { streams }: AppDeps): void {
  if (!streams) return;
  app.on(['PUT', 'POST', 'DELETE', 'GET'], `${PREFIX}*`, async (c) => {
    const operation = OPERATIONS[c.req.method];
    if (!operation)
      throw new SondeError('METHOD_NOT_ALLOWED', 'streams know PUT, POST, GET, HEAD and DELETE');
    const { tenant } = demandScope(c, operation.scope);
    return streamResponse(c, await operation.run(streams, callOf(c, tenant)));
  });
}

function callOf(c: AppContext, tenant: string): StreamCall {
  const url = new URL(c.req.url);
  return {
    id: idOf(tenant, url.pathname),
    url: absoluteUrl(c, url.pathname),
    query: url.searchParams,
    header: (name) => c.req.header(name) ?? null,
    body: async () => new Uint8Array(await c.req.arrayBuffer()),
    idOfPath: (path) => (path.startsWith(PREFIX) ? idOf(tenant, path) : undefined),
    signal: c.req.raw.signal,
  };
}

function idOf(tenant: string, pathname: string): string {
  const path = pathname.slice(PREFIX.length);
  if (path === '' || path.length > PATH_CHARS_MAX) {
    throw new SondeError('INVALID_REQUEST', `a stream's path has 1 to ${PATH_CHARS_MAX} characters`);
  }
  return `stream/${tenant}/${path}`;
}
