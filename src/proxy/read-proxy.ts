/** GET: the bytes of a response, from any offset, at once or live, with the metadata of its upstream. */
import { joinHeaders } from '../join-headers.js';
import { formatOffset, type StreamCall, type StreamResponse, type StreamState } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import { decodeHeaders } from './header-rules.js';
import type { ProxyDeps } from './proxy-deps.js';
import { outcomeHeaders, readMetadata, streamIdOfProxy, upstreamHeaders } from './proxy-metadata.js';
import { readFrom } from './read-from.js';
import { readRaw } from './read-raw.js';
import { readingUntilClosed } from './reading-until-closed.js';

export interface ProxyRead {
  readonly id: string;
  /** Null for the holder of a signed URL. */
  readonly tenant: string | null;
  readonly query: URLSearchParams;
  readonly url: string;
  header(name: string): string | null;
  readonly signal?: AbortSignal;
}

export async function readProxy(deps: ProxyDeps, read: ProxyRead): Promise<StreamResponse> {
  const found = await findProxy(deps, read.id, read.tenant);
  const leave = deps.pumps.reading(streamIdOfProxy(read.id));
  try {
    const response = withCoding(await readStream(deps, callOf(read)), read.query);
    if (response.body?.kind === 'live')
      return withUpstreamHeaders({ ...response, body: readingUntilClosed(response.body, leave) }, found);
    leave();
    return withUpstreamHeaders(response, response.state ?? found);
  } catch (error) {
    leave();
    throw error;
  }
}

async function readStream(deps: ProxyDeps, call: StreamCall): Promise<StreamResponse> {
  const from = readFrom(call.query);
  if (!from) return deps.streams.read(call);
  if (call.query.get('live') === 'raw') return readRaw(deps, call, from);
  const place = await deps.streams.locate(call.id, from);
  const query = new URLSearchParams(call.query);
  query.set('offset', formatOffset(place.state.hash, place.from));
  return deps.streams.read({ ...call, query });
}

export function callOf({ id, query, url, header, signal }: ProxyRead): StreamCall {
  return {
    id: streamIdOfProxy(id),
    url,
    query,
    header,
    body: async () => new Uint8Array(0),
    idOfPath: () => undefined,
    closingFacts,
    ...(signal && { signal }),
  };
}

function closingFacts(state: StreamState): Record<string, string> {
  const { outcome, error } = readMetadata(state);
  return { ...(outcome && { upstreamOutcome: outcome }), ...(error && { upstreamError: error }) };
}

/** A content coding can be decoded only over the whole body; partial reads report it in `Upstream-Headers`. */
function withCoding(response: StreamResponse, query: URLSearchParams): StreamResponse {
  const { state, headers, status } = response;
  const isWhole =
    status === 200 &&
    headers['Stream-Closed'] === 'true' &&
    (query.get('offset') ?? '-1') === '-1' &&
    Number(query.get('skip') ?? 0) === 0;
  if (!isWhole || !state) return response;
  const pairs = decodeHeaders(readMetadata(state).upstream_headers);
  const coding = pairs.find(([name]) => name === 'content-encoding')?.[1];
  return coding === undefined
    ? response
    : { ...response, headers: { ...headers, 'Content-Encoding': coding } };
}

function withUpstreamHeaders(response: StreamResponse, state: StreamState): StreamResponse {
  const metadata = readMetadata(state);
  const { headers } = response;
  const live = response.body?.kind === 'live';
  const closed = headers['Stream-Closed'] === 'true';
  return {
    ...response,
    headers: joinHeaders(
      headers,
      upstreamHeaders(metadata),
      !live && {
        'Stream-Up-To-Date': headers['Stream-Up-To-Date'] ?? 'false',
        'Stream-Closed': String(closed),
      },
      closed && outcomeHeaders(metadata),
    ),
  };
}
