/**
 * The readers that wait in this object, by the names that the Worker assigned. The object detects that a reader has
 * left only when it writes to it. The Worker may detect it earlier; then it calls `left`.
 */
import type { StreamResponse } from '../../../streams/index.js';
import { faultOf } from '../wire-faults.js';
import { bodyStreamOf, type KnownReader } from './body-stream.js';
import type { WireResponse } from './hot-buffer-rpc.js';

export class LiveReaders {
  readonly #readers = new Map<string, AbortController>();

  /** Returns the response for a reader, and registers the reader under its name until the response ends. */
  async respond(
    reader: string | undefined,
    operation: (gone?: AbortSignal) => Promise<StreamResponse>,
  ): Promise<WireResponse> {
    if (reader === undefined) return wireResponseOf(await operation());
    const leaving = new AbortController();
    this.#readers.set(reader, leaving);
    const forget = () => void this.#readers.delete(reader);
    try {
      const response = await operation(leaving.signal);
      if (response.body === undefined || response.body.kind === 'bytes') forget();
      return wireResponseOf(response, { gone: leaving.signal, onClose: forget });
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** An unknown reader already has its whole response. */
  left(reader: string): void {
    this.#readers.get(reader)?.abort();
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
