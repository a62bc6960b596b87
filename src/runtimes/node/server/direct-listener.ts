/**
 * The direct path on Node. It passes a parsed request straight to a stream operation or an inline route, without
 * web-standard objects, which cost more than an append. It handles only requests that it can handle exactly like the
 * app. A request that is not allowed, has no declared length, carries a trace or is for anything else goes to the app
 * (`docs/decisions/0004-direct-path.md` has the numbers).
 */
import type { IncomingMessage } from 'node:http';
import { routeAccessOf } from '../../../api/auth/require-scope.js';
import { inlineBearer } from '../../../api/auth/shown-credential.js';
import { WHOLE_BYTES_MAX } from '../../../api/middleware/upstream-body.js';
import { INLINE_PREFIX, INLINE_ROUTE, splitInlinePath } from '../../../api/routes/inline.js';
import { INLINE_METHODS } from '../../../api/routes/proxy-openapi.js';
import {
  idOfNamedPath,
  STREAM_OPERATIONS,
  STREAM_PREFIX,
  streamIdOfPath,
} from '../../../api/routes/stream-operations.js';
import type { HeaderPair } from '../../../net/index.js';
import { bearerOf, type ProxyService } from '../../../proxy/index.js';
import type { StreamService } from '../../../streams/index.js';
import {
  type DirectDeps,
  type DirectOperation,
  DirectRequest,
  hasPlainBody,
  shareDeps,
} from './direct-request.js';
import type { DirectListener } from './open-http-server.js';

const RESERVED = `${STREAM_PREFIX}__ds`;
const STREAM_ROUTE = `${STREAM_PREFIX}*`;
const METHODS: ReadonlySet<string> = new Set(INLINE_METHODS);
/** Shared, because operations only read it. */
const NO_QUERY = new URLSearchParams();

export interface DirectServices {
  readonly streams: StreamService;
  readonly proxy: Pick<ProxyService, 'routes' | 'inline'>;
}

export function createDirectListener(deps: DirectDeps, services: DirectServices): DirectListener {
  const shared = shareDeps(deps);
  return (incoming, outgoing) => {
    const { url = '', headers } = incoming;
    if (headers.traceparent !== undefined) return undefined;
    const isStream = url.startsWith(STREAM_PREFIX) && !url.startsWith(RESERVED);
    if (!isStream && !url.startsWith(INLINE_PREFIX)) return undefined;
    if (!hasPlainBody(incoming, isStream ? deps.limits.bodyBytesMax : WHOLE_BYTES_MAX)) return undefined;
    const request = new DirectRequest(shared, incoming, outgoing);
    const operation = isStream
      ? streamOperation(services.streams, request)
      : inlineOperation(services.proxy, request);
    return operation && request.respond(operation);
  };
}

function streamOperation(streams: StreamService, request: DirectRequest): DirectOperation | undefined {
  const operation = STREAM_OPERATIONS.get(request.incoming.method ?? '');
  if (!operation) return undefined;
  return {
    scope: operation.scope,
    bearer: bearerOf(request.header('authorization')),
    route: STREAM_ROUTE,
    isCounted: false,
    run: ({ tenant, publicOrigin }) =>
      operation.run(streams, {
        id: streamIdOfPath(tenant, request.path),
        url: publicOrigin.base + request.path,
        query: request.query === '' ? NO_QUERY : new URLSearchParams(request.query),
        header: request.header,
        body: () => request.body(),
        idOfPath: (path) => idOfNamedPath(tenant, path),
        get signal() {
          return request.signal();
        },
      }),
  };
}

function inlineOperation(
  proxy: DirectServices['proxy'],
  request: DirectRequest,
): DirectOperation | undefined {
  const { method = '', headers } = request.incoming;
  const { name, rest } = splitInlinePath(request.path);
  const route = proxy.routes.get(name);
  if (!route || !METHODS.has(method) || headers.upgrade !== undefined) return undefined;
  return {
    scope: 'proxy:create',
    bearer: inlineBearer(route, request),
    route: INLINE_ROUTE,
    isCounted: true,
    run: ({ tenant, principal, publicOrigin }) =>
      proxy.inline({
        tenant,
        method,
        route,
        access: routeAccessOf(principal),
        rest: request.query === '' ? rest : `${rest}?${request.query}`,
        headers: headerPairs(request.incoming),
        header: request.header,
        body: () => request.body(),
        absolute: (path) => publicOrigin.base + path,
        get signal() {
          return request.signal();
        },
      }),
  };
}

/** Lists headers as a `Headers` object does: names in lower case and sorted, values of one name joined. */
function headerPairs({ headersDistinct }: IncomingMessage): readonly HeaderPair[] {
  return Object.keys(headersDistinct)
    .sort()
    .map((name) => [name, (headersDistinct[name] ?? []).join(name === 'cookie' ? '; ' : ', ')]);
}
