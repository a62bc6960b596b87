/**
 * An answer's body as the upstream sent it, byte for byte, over as many connections as it takes. Bytes are pulled
 * from the server only as fast as they are read here. The end of a connection is never taken for the end of the
 * body: that comes only with `Stream-Closed` and the outcome, and any outcome but `completed` is an error.
 */
import { DurableFetchError, refusalOf } from './durable-fetch-error.js';
import { Retry } from './retry.js';
import type { SavedRequest } from './saved-request.js';
import { callServer, type ServerCall } from './server-call.js';
import type { ClientSettings } from './settings.js';
import { type UpstreamHead, upstreamHead } from './upstream-head.js';

export interface BodySource {
  readonly saved: SavedRequest;
  /** Signed address of the answer. */
  readonly url: string;
  /** Bytes that the reader has already. */
  readonly at: number;
  /** A new address, where the old one has expired and there is a way to ask. */
  readonly renew?: () => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

const LASTED_MS = 1_000;

export class DurableBody {
  readonly #settings: ClientSettings;
  readonly #source: BodySource;
  readonly #retry: Retry;
  readonly #stop = new AbortController();
  #url: string;
  #at: number;
  #connection: (ServerCall & { readonly since: number }) | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;

  constructor(settings: ClientSettings, source: BodySource) {
    this.#settings = settings;
    this.#source = source;
    this.#url = source.url;
    this.#at = source.at;
    this.#retry = new Retry(settings);
    source.signal?.addEventListener('abort', this.#onAbort);
  }

  /** Connects, so that the upstream's head is known before the first byte is asked for. */
  async head(): Promise<UpstreamHead> {
    try {
      for (;;) {
        try {
          return upstreamHead(await this.#connected());
        } catch (thrown) {
          await this.#again(thrown);
        }
      }
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
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      // The reader is back for more: what it got before is in its hands.
      await this.#source.saved.save({ at: this.#at });
      const piece = await this.#next();
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
      const before = this.#at;
      try {
        const connection = await this.#connected();
        const piece = await connection.read();
        if (piece) {
          this.#at += piece.length;
          this.#retry.progress();
          if (piece.length > 0) return piece;
        } else if (this.#isOver(connection)) {
          return undefined;
        } else {
          await this.#cameToRest(connection);
        }
      } catch (thrown) {
        await this.#again(thrown, before);
      }
    }
  }

  async #connected(): Promise<ServerCall & { readonly since: number }> {
    if (this.#connection) return this.#connection;
    const { timing, stallMs } = this.#settings;
    const { signal } = this.#stop;
    const url = `${this.#url}&offset=-1&skip=${this.#at}&live=raw`;
    const call = await callServer(this.#settings, url, { stallMs, signal });
    if (call.status !== 200) throw await refusalOf(call);
    this.#connection = { ...call, since: timing.now() };
    return this.#connection;
  }

  /** Whether the stream has ended here. Throws if it did not complete. */
  #isOver({ header }: ServerCall): boolean {
    if (header('stream-closed') !== 'true') return false;
    const total = header('stream-total-size');
    if (total !== null && Number(total) !== this.#at) throw new Error('the connection ended before the body');
    const outcome = header('upstream-outcome');
    if (outcome === 'completed') return true;
    const code =
      header('upstream-error') ?? (outcome === 'aborted' ? 'UPSTREAM_ABORTED' : 'UPSTREAM_TRUNCATED');
    throw new DurableFetchError(code, `the answer ended as ${outcome} after ${this.#at} bytes`);
  }

  /** The server ends connections that last; one that ends at once, with nothing, is a fault all the same. */
  async #cameToRest({ since }: { readonly since: number }): Promise<void> {
    const lasted = this.#settings.timing.now() - since >= LASTED_MS;
    this.#hangUp();
    if (lasted) this.#retry.progress();
    else
      await this.#retry.again(new Error('the server ended an empty answer'), {
        soon: true,
        signal: this.#stop.signal,
      });
  }

  async #again(thrown: unknown, before = -1): Promise<void> {
    this.#hangUp();
    const { signal } = this.#stop;
    const { renew } = this.#source;
    if (renew && thrown instanceof DurableFetchError && thrown.code === 'SIGNATURE_EXPIRED') {
      signal.throwIfAborted();
      this.#url = await renew();
      return;
    }
    await this.#retry.again(thrown, { soon: before >= 0, signal });
  }

  #hangUp(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  readonly #onAbort = (): void => {
    if (this.#ended) return;
    const { signal } = this.#source;
    this.#controller?.error(signal?.reason);
    void this.#leave();
  };

  /** The reader goes. Whether the upstream is to go on is for the caller to say. */
  async #leave(): Promise<void> {
    if (this.#ended) return;
    this.#finish();
    if (this.#settings.onAbort === 'detach') return;
    await this.#source.saved.drop();
    await stopUpstream(this.#settings, this.#url);
  }

  /** An answer that has ended is over; what only could not be reached can still be resumed. */
  async #fail(thrown: unknown): Promise<void> {
    if (this.#ended) return;
    this.#finish();
    const lost = thrown instanceof DurableFetchError && thrown.code !== 'RETRIES_EXHAUSTED';
    if (lost) await this.#source.saved.drop();
  }

  #finish(): void {
    this.#ended = true;
    this.#source.signal?.removeEventListener('abort', this.#onAbort);
    this.#stop.abort(this.#source.signal?.reason);
    this.#hangUp();
  }
}

const STOP_RETRIES = 3;
const STOP_STALL_MS = 5_000;

/** Asks the server to stop the upstream. Nobody is left to be told if that fails. */
export async function stopUpstream(settings: ClientSettings, url: string): Promise<void> {
  const retry = new Retry({ ...settings, retries: STOP_RETRIES });
  for (;;) {
    try {
      const options = { method: 'PATCH', keepalive: true, stallMs: STOP_STALL_MS };
      const call = await callServer(settings, `${url}&action=abort`, options);
      if (call.status < 300) return;
      throw await refusalOf(call);
    } catch (thrown) {
      try {
        await retry.again(thrown, {});
      } catch {
        return;
      }
    }
  }
}
