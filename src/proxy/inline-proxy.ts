/**
 * `/r/{route}/…`: the upstream's answer as if there were no proxy between, status, safe headers and live body,
 * but recorded first and readable again at `Stream-Location`. An answer that did not complete never ends as if
 * it had: its connection is broken.
 */

import { SondeError } from '../errors.js';
import { joinHeaders } from '../join-headers.js';
import type { StreamAnswer, StreamState } from '../streams/index.js';
import { signedLocation } from './create-proxy.js';
import { decodeHeaders, requestHeaders } from './header-rules.js';
import { credentialHeaders, type InlineRoute, targetOf } from './inline-routes.js';
import { readMetadata } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import { readingUntilClosed } from './reading-until-closed.js';
import { REPLAYED, recordUpstream } from './record-upstream.js';
import { notAllowed, type ProxyCall, readCommon } from './upstream-request.js';

export interface InlineCall extends ProxyCall {
  readonly method: string;
  readonly route: InlineRoute;
  /** Path and query below the route, from its slash on. */
  readonly rest: string;
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const BODILESS = new Set([204, 205, 304]);

export async function inlineProxy(parts: ProxyParts, call: InlineCall): Promise<StreamAnswer> {
  const { route, method } = call;
  if (!METHODS.has(method))
    throw new SondeError('METHOD_NOT_ALLOWED', `A route takes ${[...METHODS].join(', ')}.`);
  const target = targetOf(route, call.rest);
  if (!target) throw notAllowed(`the path leads out of the route ${route.name}`);
  const credentials = credentialHeaders(route, call.header);
  const given = call.headers.filter(([name]) => name.toLowerCase() !== 'x-api-key');
  const common = readCommon(parts, call);
  const recorded = await recordUpstream(
    parts,
    {
      method,
      headers: requestHeaders(given, credentials),
      body: await call.body(),
      ...target,
      ...common,
    },
    // "Not modified" answers what the caller's own headers asked; it leads nowhere.
    (status) => (status >= 300 && status < 400 && status !== 304 ? 'redirect' : undefined),
  );
  if (recorded.kind === 'answer') return recorded.answer;
  return answer(parts, recorded, {
    'Stream-Location': signedLocation(parts, call, recorded.id),
    ...(!recorded.fresh && REPLAYED),
  });
}

function answer(
  parts: ProxyParts,
  { state, held }: { readonly state: StreamState; readonly held?: Uint8Array },
  own: Record<string, string>,
): StreamAnswer {
  const metadata = readMetadata(state);
  const status = metadata.upstream_status;
  const headers: Record<string, string> = {};
  for (const [name, value] of decodeHeaders(metadata.upstream_headers)) {
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  if (BODILESS.has(status)) return { status, headers: joinHeaders(headers, own) };
  if (state.closed && held)
    return { status, headers: joinHeaders(headers, own), body: { kind: 'bytes', bytes: held } };
  const leave = parts.pumps.reading(state.id);
  const body = parts.streams.followRaw({
    state,
    ...(held && { held }),
    isComplete: (ended) => readMetadata(ended).outcome === 'completed',
  });
  if (body.kind !== 'live') return { status, headers: joinHeaders(headers, own), body };
  return { status, headers: joinHeaders(headers, own), body: readingUntilClosed(body, leave) };
}
