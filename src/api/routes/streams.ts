/**
 * `/v1/stream/*`: the Durable Streams protocol. Each tenant has its own namespace of paths. The operations live in
 * `streams/`; this file turns a request into a call, and its result into a response. A host may have a faster path to
 * the same operations (`runtimes/node/server/direct-listener.ts`).
 */
import { SondeError } from '../../errors.js';
import type { StreamCall } from '../../streams/index.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { requestBody } from '../middleware/request-body.js';
import { idOfNamedPath, STREAM_OPERATIONS, STREAM_PREFIX, streamIdOfPath } from './stream-operations.js';
import { streamResponse } from './stream-response.js';
import { describeStreams } from './streams-openapi.js';

export function addStreams(app: App, { streams }: AppDeps): void {
  if (!streams) return;
  describeStreams(app);
  app.on(['PUT', 'POST', 'DELETE', 'GET'], `${STREAM_PREFIX}*`, async (c) => {
    const operation = STREAM_OPERATIONS.get(c.req.method);
    if (!operation)
      throw new SondeError('METHOD_NOT_ALLOWED', 'Streams support PUT, POST, GET, HEAD and DELETE.');
    const { tenant } = demandScope(c, operation.scope);
    return streamResponse(c, await operation.run(streams, callOf(c, tenant)));
  });
}

function callOf(c: AppContext, tenant: string): StreamCall {
  const url = new URL(c.req.url);
  return {
    id: streamIdOfPath(tenant, url.pathname),
    url: absoluteUrl(c, url.pathname),
    query: url.searchParams,
    // A header without a value counts as absent: some hosts drop it.
    header: (name) => c.req.header(name) || null,
    body: () => requestBody(c),
    idOfPath: (path) => idOfNamedPath(tenant, path),
    signal: c.req.raw.signal,
  };
}
