/** Decodes calls to the object of a stream. */
import type { StreamCall } from '../../../streams/index.js';
import type { WireCall } from './hot-buffer-rpc.js';

/** The first argument of a store call is the id of a stream, or a new stream. */
export function idIn(first: unknown): string {
  return typeof first === 'string' ? first : String((first as { id?: unknown } | undefined)?.id ?? '');
}

export function callOf({ id, url, query, headers, body, forkedFrom }: WireCall): StreamCall {
  return {
    id,
    url,
    query: new URLSearchParams(query),
    header: (name) => headers[name] ?? null,
    body: async () => body,
    idOfPath: () => forkedFrom,
  };
}
