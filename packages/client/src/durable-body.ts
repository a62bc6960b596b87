/**
 * Reads a response's body byte for byte as the upstream sent it, over as many connections as needed. Bytes are pulled
 * from the server only as fast as the caller reads them. The end of a connection is never treated as the end of the
 * body: only `Stream-Closed` and the outcome end it, and any outcome but `completed` is an error.
 */
import { incompleteBody, isFinal, readRefusal } from './durable-fetch-error.js';
import { Retry } from './retry.js';
import type { SavedRequest } from './saved-request.js';
import { callServer, type ServerCall } from './server-call.js';
import type { ClientSettings } from './settings.js';
import { type UpstreamHead, upstreamHead } from './upstream-head.js';

export interface BodySource {
  readonly saved: SavedRequest;
  /** Signed URL of the response. */
  readonly url: string;
  /** Bytes that the reader already has. */
  readonly at: number;
  /** Requests a new URL if the old one has expired; absent if that is not possible. */
  readonly renew?: () => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

type Connection = ServerCall & { readonly since: number };

const LONG_CONNECTION_MS = 1_000;
/** Repeating a read is cheap and safe, so it is retried more often than a create. */
const READ_RETRY_FACTOR = 3;

export class DurableBody {
  readonly #settings: ClientSettings;
  readonly #source: BodySource;
  readonly #retry: Retry;
  readonly #stop = new AbortController();
  #url: string;
  #at: number;
  #connection: Connection | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;

  constructor(settings: ClientSettings, source: BodySource) {
    this.#settings = settings;
    this.#source = source;
    this.#url = source.url;
    this.#at = source.at;
    this.#retry = new Retry({ ...settings, retries: settings.retries * READ_RETRY_FACTOR });
    source.signal?.addEventListener('abort', this.#onAbort);
  }

  /** Connects, so that the upstream's head is known before the first byte is read. */
  async head(): Promise<UpstreamHead> {
    try {
      return upstreamHead(await this.#retry.run(() => this.#openConnection(), this.#stop.signal));
    } catch (thrown) {
      await this.#fail(thrown);
      throw thrown;
    }
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          if (this.#source.signal?.aborted) this.#onAbort();
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#stopReading(),
      },
      { highWaterMark: 0 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      // The reader pulls more, so it has received everything before.
      await this.#source.saved.save({ at: this.#at });
      const piece = await this.#retry.run(() => this.#next(), this.#stop.signal);
      if (this.#ended) return;
      if (piece) return controller.enqueue(piece);
      this.#finish();
      await this.#source.saved.drop();
      controller.close();
    } catch (thrown) {
      if (this.#ended) return;
      await this.#fail(thrown);
      throw thrown;
    }
  }

  /** The next bytes, or undefined when the upstream has completed. */
  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const connection = await this.#openConnection();
      try {
        const piece = await connection.read();
        if (piece) {
          this.#at += piece.length;
          this.#retry.progress();
          return piece;
        }
        if (this.#isComplete(connection)) return undefined;
      } catch (thrown) {
        this.#connection = undefined;
        throw thrown;
      }
      this.#connection = undefined;
      // The server ends long connections on purpose, but a short one without any bytes is a failure.
      if (this.#settings.timing.now() - connection.since < LONG_CONNECTION_MS)
        throw new Error('empty response');
      this.#retry.progress();
    }
  }

  async #openConnection(): Promise<Connection> {
    this.#connection ??= await this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<Connection> {
    const { timing, stallMs } = this.#settings;
    const { signal } = this.#stop;
    const connect = () =>
      callServer(this.#settings, `${this.#url}&offset=-1&skip=${this.#at}&live=raw`, { stallMs, signal });
    let call = await connect();
    if (call.status === 401 && this.#source.renew) {
      this.#url = await this.#source.renew();
      call = await connect();
    }
    if (call.status !== 200) throw await readRefusal(call);
    return { ...call, since: timing.now() };
  }

  /** Whether the body is complete. Throws if the stream was closed with another outcome. */
  #isComplete({ header }: ServerCall): boolean {
    if (header('stream-closed') !== 'true') return false;
    const total = header('stream-total-size');
    if (total !== null && Number(total) !== this.#at) throw new Error('body cut off');
    const outcome = header('upstream-outcome');
    if (outcome === 'completed') return true;
    const code =
      header('upstream-error') ?? (outcome === 'aborted' ? 'UPSTREAM_ABORTED' : 'UPSTREAM_TRUNCATED');
    throw incompleteBody(code, outcome, this.#at);
  }

  readonly #onAbort = (): void => {
    if (this.#ended) return;
    const { signal } = this.#source;
    this.#controller?.error(signal?.reason);
    void this.#stopReading();
  };

  /** Called when the reader stops. The option `onAbort` decides whether the upstream continues. */
  async #stopReading(): Promise<void> {
    if (this.#ended) return;
    this.#finish();
    if (this.#settings.onAbort === 'detach') return;
    await this.#source.saved.drop();
    await stopUpstream(this.#settings, this.#url);
  }

  /** Drops the saved request if the failure is final; if the server was only unreachable, it can still be resumed. */
  async #fail(thrown: unknown): Promise<void> {
    if (this.#ended) return;
    this.#finish();
    if (isFinal(thrown)) await this.#source.saved.drop();
  }

  #finish(): void {
    this.#ended = true;
    this.#source.signal?.removeEventListener('abort', this.#onAbort);
    this.#stop.abort(this.#source.signal?.reason);
    this.#connection = undefined;
  }
}

const STOP_RETRIES = 3;
const STOP_STALL_MS = 5_000;

/** Asks the server to stop the upstream request. Failures are ignored, because the caller no longer waits. */
export async function stopUpstream(
  settings: ClientSettings,
  url: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const attempt = async () => {
    const options = { method: 'PATCH', keepalive: true, stallMs: STOP_STALL_MS, headers };
    const call = await callServer(settings, `${url}&action=abort`, options);
    if (call.status >= 300) throw await readRefusal(call);
  };
  await new Retry({ ...settings, retries: STOP_RETRIES }).run(attempt).catch(() => {});
}
