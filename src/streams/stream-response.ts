/**
 * The result of a protocol operation. A host turns it into its own kind of response: small bodies at once, large ones
 * in pieces with a known length, live ones through a sink that outlives the call.
 */
import type { SondeError } from '../errors.js';
import type { StreamState } from './stream-store.js';

export interface StreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: StreamBody;
  /** Sent instead of a body, in the product's error form, with the headers above. */
  readonly error?: SondeError;
  /** The stream's state as of this response; absent for live responses, which outlast it. */
  readonly state?: StreamState;
}

export type StreamBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'pieces';
      readonly length: number;
      pieces(): AsyncIterable<Uint8Array>;
      /** Called when a chunk has been sent and is no longer referenced, so that its memory can be reused. */
      release(piece: Uint8Array): void;
    }
  | LiveBody;

export interface LiveBody {
  readonly kind: 'live';
  start(sink: LiveSink): void;
}

/** The reader's side of a live response. */
export interface LiveSink {
  write(bytes: Uint8Array): void;
  /** The number of bytes that were written and not sent yet. */
  buffered(): number;
  /** Resolves when little is buffered, or the reader has left. */
  drained(): Promise<void>;
  /** Whether everything written has been sent, so that its memory may be reused; absent if the host does not know. */
  allLeft?(): boolean;
  end(): void;
  /** Aborts the response, so that the client does not take it for complete. */
  abort(): void;
  /** Called once, when the reader has left or `end` was called. */
  onClose(act: () => void): void;
}

export interface StreamCall {
  /** Identifies the stream, including its tenant. */
  readonly id: string;
  readonly url: string;
  readonly query: URLSearchParams;
  header(name: string): string | null;
  body(): Promise<Uint8Array>;
  /** The id of the stream at a path from a header, or undefined if it is not a stream path. */
  idOfPath(path: string): string | undefined;
  readonly signal?: AbortSignal;
  /** Additional fields of the last control event of a closed stream. */
  closingFacts?(state: StreamState): Readonly<Record<string, string>>;
}
