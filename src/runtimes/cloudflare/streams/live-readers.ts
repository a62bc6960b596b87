/**
 * The readers that wait in this object, by the names that the Worker gave them. The object itself sees that one has
 * gone only when it writes to it; the Worker may know earlier, and then says so here. A reader of whom nothing is
 * said is noticed at the next write as ever.
 */
import type { StreamResponse } from '../../../streams/index.js';
import { faultOf } from '../wire-faults.js';
import { bodyStreamOf, type KnownReader } from './body-stream.js';
import type { WireResponse } from './hot-buffer-rpc.js';

export class LiveReaders {
  readonly #here = new Map<string, AbortController>();

  /** What a reader gets. It is known by its name from the first moment until its response is over. */
  async respond(
    reader: string | undefined,
    operation: (gone?: AbortSignal) => Promise<StreamResponse>,
  ): Promise<WireResponse> {
    if (reader === undefined) return wireResponseOf(await operation());
    const leaving = new AbortController();
    this.#here.set(reader, leaving);
    const forget = () => void this.#here.delete(reader);
    try {
      const response = await operation(leaving.signal);
      if (response.body === undefined || response.body.kind === 'bytes') forget();
      return wireResponseOf(response, { gone: leaving.signal, onClose: forget });
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** It has gone. One that is not known has its response already. */
  left(reader: string): void {
    this.#here.get(reader)?.abort();
  }
}

function wireResponseOf(
  { status, headers, body, error }: StreamResponse,
  reader?: KnownReader,
): WireResponse {
  const sized = body?.kind === 'pieces' ? { ...headers, 'Content-Length': String(body.length) } : headers;
  return {
    status,
    headers: sized,
    ...(body && {
      body:
        body.kind === 'bytes'
          ? body.bytes
          : bodyStreamOf(body, { length: headers['content-length'], reader }),
    }),
    ...(error && { error: faultOf(error) }),
  };
}
