/** One request to the Sonde server. A dead connection raises no error, so a call without data for too long aborts. */
import type { Timing } from './retry.js';

export interface CallSettings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly timing: Timing;
}

export interface ServerCall {
  readonly status: number;
  header(name: string): string | null;
  /** The next bytes, or undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** All remaining bytes. */
  rest(): Promise<Uint8Array<ArrayBuffer>>;
}

export async function callServer(
  { fetch, timing }: CallSettings,
  url: string,
  { stallMs, signal, ...init }: RequestInit & { readonly stallMs: number },
): Promise<ServerCall> {
  const connection = new AbortController();
  const abort = () => connection.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const stopListening = () => signal?.removeEventListener('abort', abort);
  const withStallTimeout = async <T>(work: Promise<T>): Promise<T> => {
    const cancelTimer = timing.after(stallMs, () => connection.abort(new Error(`stalled for ${stallMs} ms`)));
    try {
      return await work;
    } catch (error) {
      stopListening();
      throw error;
    } finally {
      cancelTimer();
    }
  };
  // Cookies are never sent, and redirects are never followed.
  const options = { ...init, credentials: 'omit', redirect: 'error', signal: connection.signal } as const;
  const response = await withStallTimeout(fetch(url, options));
  const reader = response.body?.getReader();
  const read = async () => {
    const { value, done } = reader ? await withStallTimeout(reader.read()) : { done: true };
    if (done) stopListening();
    return value;
  };
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    read,
    async rest() {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for (let piece = await read(); piece; piece = await read()) pieces.push(piece);
      return new Uint8Array(await new Blob(pieces).arrayBuffer());
    },
  };
}
