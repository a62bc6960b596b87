/** One request to the Sonde server, aborted when no data arrives for too long: a dead connection raises no error. */
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
  /** All that is left. */
  rest(): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

export async function callServer(
  { fetch, timing }: CallSettings,
  url: string,
  { stallMs, signal, ...init }: RequestInit & { readonly stallMs: number },
): Promise<ServerCall> {
  const connection = new AbortController();
  const close = () => connection.abort(signal?.reason);
  if (signal?.aborted) close();
  signal?.addEventListener('abort', close);
  const leave = () => signal?.removeEventListener('abort', close);
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    const calm = timing.after(stallMs, () => connection.abort(new Error(`stalled for ${stallMs} ms`)));
    try {
      return await work;
    } catch (error) {
      leave();
      throw error;
    } finally {
      calm();
    }
  };
  // Never with cookies, never to another place than the one that was named.
  const options = { ...init, credentials: 'omit', redirect: 'error', signal: connection.signal } as const;
  const response = await watched(fetch(url, options));
  const reader = response.body?.getReader();
  const read = async () => {
    const { value, done } = reader ? await watched(reader.read()) : { done: true };
    if (done) leave();
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
    close() {
      leave();
      connection.abort();
    },
  };
}
