/** POST: sends a request upstream and keeps its answer; tells where it can be read while it still comes in. */
import type { StreamAnswer } from '../streams/index.js';
import type { IsError } from './open-upstream.js';
import { outcomeHeaders, readMetadata, upstreamHeaders } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import { REPLAYED, recordUpstream } from './record-upstream.js';
import { type ProxyCall, readCreate } from './upstream-request.js';

export async function createProxy(parts: ProxyParts, call: ProxyCall): Promise<StreamAnswer> {
  const request = await readCreate(parts, call);
  const recorded = await recordUpstream(parts, request, faultOf);
  if (recorded.kind === 'answer') return recorded.answer;
  const metadata = readMetadata(recorded.state);
  return {
    status: recorded.fresh ? 201 : 200,
    headers: {
      Location: signedLocation(parts, call, recorded.id),
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
  { signedUrls, timers, settings }: ProxyParts,
  call: Pick<ProxyCall, 'absolute'>,
  id: string,
): string {
  const expiresAt = Math.floor((timers.now() + settings.urlMs) / 1000);
  return call.absolute(signedUrls.pathFor(id, expiresAt));
}
