/** POST: sends a request upstream, records the response, and returns a URL that serves it while it is received. */
import type { StreamResponse } from '../streams/index.js';
import type { IsError } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import { outcomeHeaders, readMetadata, upstreamHeaders } from './proxy-metadata.js';
import { recordUpstream } from './record-upstream.js';
import { REPLAYED } from './send-and-record.js';
import { type ProxyCall, readCreate } from './upstream-request.js';

export async function createProxy(deps: ProxyDeps, call: ProxyCall): Promise<StreamResponse> {
  const request = await readCreate(deps, call);
  const recorded = await recordUpstream(deps, request, faultOf);
  if (recorded.kind === 'response') return recorded.response;
  const metadata = readMetadata(recorded.state);
  return {
    status: recorded.fresh ? 201 : 200,
    headers: {
      Location: signedLocation(deps, call, recorded.id),
      ...upstreamHeaders(metadata),
      ...outcomeHeaders(metadata),
      ...(!recorded.fresh && REPLAYED),
    },
  };
}

function faultOf(status: number): ReturnType<IsError> {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : 'error';
}

export function signedLocation(
  { signedUrls, lifetime, settings }: ProxyDeps,
  call: Pick<ProxyCall, 'absolute'>,
  id: string,
): string {
  const expiresAt = Math.floor((lifetime.now() + settings.urlMs) / 1000);
  return call.absolute(signedUrls.pathFor(id, expiresAt));
}
