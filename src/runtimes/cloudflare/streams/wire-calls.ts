/** Calls as they travel to the object of a stream, read back. */
import type { StreamCall } from '../../../streams/index.js';
import type { WireCall } from './hot-buffer-rpc.js';

/** A call of the store names its stream first, or is a new one. */
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
