/** HEAD: the metadata of a proxied response, without its body. */
import type { StreamResponse } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import type { ProxyDeps } from './proxy-deps.js';
import { outcomeHeaders, readMetadata, upstreamHeaders } from './proxy-metadata.js';
import { callOf, type ProxyRead } from './read-proxy.js';

export async function headProxy(deps: ProxyDeps, read: ProxyRead): Promise<StreamResponse> {
  const found = await findProxy(deps, read.id, read.tenant);
  const response = await deps.streams.head(callOf(read));
  const state = response.state ?? found;
  const metadata = readMetadata(state);
  return {
    ...response,
    headers: {
      ...response.headers,
      'Stream-Closed': String(state.closed),
      ...upstreamHeaders(metadata),
      ...outcomeHeaders(metadata),
    },
  };
}
