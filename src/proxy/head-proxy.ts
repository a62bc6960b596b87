/** HEAD: what is known of a proxied answer, without its bytes. */
import type { StreamAnswer } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import { outcomeHeaders, readMetadata, upstreamHeaders } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import { callOf, type ProxyRead } from './read-proxy.js';

export async function headProxy(parts: ProxyParts, read: ProxyRead): Promise<StreamAnswer> {
  const found = await findProxy(parts, read.id, read.tenant);
  const answer = await parts.streams.head(callOf(read));
  const state = answer.state ?? found;
  const metadata = readMetadata(state);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'Stream-Closed': String(state.closed),
      ...upstreamHeaders(metadata),
      ...outcomeHeaders(metadata),
    },
  };
}
