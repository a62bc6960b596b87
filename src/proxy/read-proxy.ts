/** GET: the answer's bytes, from any offset, now or as they come, and what is known of its upstream. */
import { joinHeaders } from '../join-headers.js';
import { formatOffset, type StreamAnswer, type StreamCall, type StreamState } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import { outcomeHeaders, readMetadata, streamIdOfProxy, upstreamHeaders } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
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

export async function readProxy(parts: ProxyParts, read: ProxyRead): Promise<StreamAnswer> {
  const found = await findProxy(parts, read.id, read.tenant);
  const leave = parts.pumps.reading(streamIdOfProxy(read.id));
  try {
    const answer = await readStream(parts, callOf(read));
    if (answer.body?.kind === 'live')
      return withFacts({ ...answer, body: readingUntilClosed(answer.body, leave) }, found);
    leave();
    return withFacts(answer, answer.state ?? found);
  } catch (error) {
    leave();
    throw error;
  }
}

async function readStream(parts: ProxyParts, call: StreamCall): Promise<StreamAnswer> {
  const from = readFrom(call.query);
  if (!from) return parts.streams.read(call);
  if (call.query.get('live') === 'raw') return readRaw(parts, call, from);
  const place = await parts.streams.locate(call.id, from);
  const query = new URLSearchParams(call.query);
  query.set('offset', formatOffset(place.state.hash, place.from));
  return parts.streams.read({ ...call, query });
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

function withFacts(answer: StreamAnswer, state: StreamState): StreamAnswer {
  const metadata = readMetadata(state);
  const { headers } = answer;
  const live = answer.body?.kind === 'live';
  const closed = headers['Stream-Closed'] === 'true';
  return {
    ...answer,
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
