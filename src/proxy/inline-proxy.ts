/**
 * `/r/{route}/…`: returns the upstream's response as if there were no proxy, with its status, safe headers and live
 * body, but records it first, so that it can be read again at `Stream-Location`. An incomplete response never looks
 * complete: its connection is aborted.
 */

import { SondeError } from '../errors.js';
import { joinHeaders } from '../join-headers.js';
import { untransformed } from '../no-transform.js';
import { ROUTE_METHODS } from '../route-claims.js';
import type { StreamResponse, StreamState } from '../streams/index.js';
import { callerSecretOf, withoutSecret } from './caller-secret.js';
import { signedLocation } from './create-proxy.js';
import { decodeHeaders, requestHeaders } from './header-rules.js';
import { credentialHeaders, type InlineRoute, targetOf } from './inline-routes.js';
import type { ProxyDeps } from './proxy-deps.js';
import { attemptHeader, readMetadata } from './proxy-metadata.js';
import { readingUntilClosed } from './reading-until-closed.js';
import { recordUpstream } from './record-upstream.js';
import { demandRoute, type RouteAccess } from './route-access.js';
import { REPLAYED } from './send-and-record.js';
import { refuseUnsupported } from './unsupported-headers.js';
import { notAllowed, type ProxyCall, readCommon } from './upstream-request.js';

export interface InlineCall extends ProxyCall {
  readonly method: string;
  readonly route: InlineRoute;
  readonly access: RouteAccess;
  /** Path and query below the route, starting with a slash. */
  readonly rest: string;
}

const METHODS: ReadonlySet<string> = new Set(ROUTE_METHODS);
const BODILESS = new Set([204, 205, 304]);

export async function inlineProxy(deps: ProxyDeps, call: InlineCall): Promise<StreamResponse> {
  const { route, method } = call;
  const { target, forwarded, credentials } = admitInline(call);
  refuseUnsupported(call, 'route');
  const common = readCommon(deps, call);
  if (common.key === null && Number(call.header('x-stainless-retry-count')) > 0) deps.onUnkeyedRetry();
  const { keepsCodings = false } = deps.outbound;
  const coding = keepsCodings ? (call.header('accept-encoding') ?? undefined) : undefined;
  const recorded = await recordUpstream(
    deps,
    {
      method,
      headers: requestHeaders(forwarded, credentials, coding),
      body: await call.body(),
      keepCoding: keepsCodings,
      route: route.name,
      ...target,
      ...common,
      ...(route.headersMs !== undefined && { headersMs: route.headersMs }),
    },
    // 304 answers the caller's own conditional headers and is not a redirect.
    (status) => (status >= 300 && status < 400 && status !== 304 ? 'redirect' : undefined),
  );
  if (recorded.kind === 'response') return recorded.response;
  return responseOf(deps, recorded, {
    'Stream-Location': signedLocation(deps, call, recorded.id),
    ...attemptHeader(readMetadata(recorded.state).attempt),
    ...(!recorded.fresh && REPLAYED),
  });
}

/** Throws unless the caller may send this request through the route. Returns what to send where. */
export function admitInline(call: InlineCall): ReturnType<typeof readTarget> {
  if (!METHODS.has(call.method))
    throw new SondeError('METHOD_NOT_ALLOWED', `A route supports ${[...METHODS].join(', ')}.`);
  const read = readTarget(call);
  demandRoute(call.route, { ...call, url: read.target.url });
  return read;
}

/** The URL to call and the headers to send, without any trace of the caller's Sonde credential. */
function readTarget({ route, rest, tenant, header, headers }: InlineCall) {
  const [path = '', ...queries] = rest.split('?');
  const query = queries.join('?');
  const secret = callerSecretOf(route, { header, query });
  const target = targetOf(route, path + withoutSecret(query === '' ? '' : `?${query}`, secret));
  if (!target)
    throw notAllowed(
      `the path leads outside the route ${route.name}; send it without encoded slashes and dot segments`,
    );
  return { target, ...credentialHeaders(route, headers, { tenant, secret }) };
}

function responseOf(
  deps: ProxyDeps,
  { state, held }: { readonly state: StreamState; readonly held?: Uint8Array },
  own: Record<string, string>,
): StreamResponse {
  const metadata = readMetadata(state);
  // A recorded response has a head.
  const status = metadata.upstream_status ?? 502;
  const headers: Record<string, string> = {};
  for (const [name, value] of decodeHeaders(metadata.upstream_headers)) {
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  if (BODILESS.has(status)) delete headers['content-length'];
  if (BODILESS.has(status)) return { status, headers: joinHeaders(headers, own) };
  // Whether or not it is still arriving, so that its headers do not depend on the moment.
  const all = untransformed(joinHeaders(headers, own));
  if (state.closed && held) return { status, headers: all, body: { kind: 'bytes', bytes: held } };
  const leave = deps.pumps.reading(state.id);
  const body = deps.streams.followRaw({
    state,
    ...(held && { held }),
    isComplete: (ended) => readMetadata(ended).outcome === 'completed',
  });
  return { status, headers: all, body: readingUntilClosed(body, leave) };
}
