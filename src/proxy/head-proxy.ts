/** HEAD: what is known of a proxied answer, without its bytes. */
import type { StreamAnswer } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import { outcomeHeaders, readMetadata, streamIdOfProxy, upstreamHeaders } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import type { ProxyRead } from './read-proxy.js';

export async function headProxy(
  parts: ProxyParts,
  { id, tenant, url, header, query }: ProxyRead,
): Promise<StreamAnswer> {
  const found = await findProxy(parts, id, tenant);
  const answer = await parts.streams.head({
    id: streamIdOfProxy(id),
    url,
    query,
    header,
    body: async () => new Uint8Array(0),
    idOfPath: () => undefined,
  });
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
