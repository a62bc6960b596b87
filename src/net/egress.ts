/**
 * The port that sends one request of one hop. Each engine implements `send`; everything above it (redirects,
 * probes, the proxy) is shared. `send` takes a judged `Target`, so an engine never gets a URL that no policy has
 * checked.
 */
import type { HeaderList } from './headers.js';
import type { RequestLimits } from './limits.js';
import type { Policy, Target } from './policy.js';

export interface HopRequest {
  readonly target: Target;
  readonly method: string;
  /** Already cleaned (`cleanRequestHeaders`). */
  readonly headers: HeaderList;
  readonly body?: RequestBody;
  readonly limits: RequestLimits;
  /** Keeps the content coding instead of decoding the body, if the engine can. */
  readonly keepCoding?: boolean;
  /** Aborting it ends the hop with `canceled`, before and after the head. */
  readonly signal?: AbortSignal;
}

/** Bytes can be resent on a redirect; a stream cannot. */
export type RequestBody = Uint8Array | StreamedBytes;

export interface StreamedBytes extends AsyncIterable<Uint8Array> {
  /** Sent as `Content-Length`; without it the body is chunked. */
  readonly byteLength?: number;
}

export interface HopResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: HopBody;
  readonly connection: ConnectionFacts;
  /** Timings so far; complete once the body has ended. */
  timings(): HopTimings;
}

/**
 * The decoded body, pulled chunk by chunk: the socket is read only as fast as `read` is called. `read` resolves
 * to `undefined` at the end and rejects with a coded error if the connection breaks, the body exceeds its limit or
 * time runs out. `cancel` frees the socket at once; calling it after the end does nothing.
 */
export interface HopBody {
  read(): Promise<Uint8Array | undefined>;
  cancel(): void;
  /** Returns a chunk that has already arrived, without waiting; absent if the runtime cannot tell. */
  arrived?(): Uint8Array | undefined;
  /** Takes the whole body if it has already ended and nothing was read; absent if the runtime cannot tell. */
  takeWhole?(): Uint8Array | undefined;
  /** Bytes read from the socket for this response so far, framing included; absent if the platform hides them. */
  wireBytes?(): number;
}

/** Milliseconds; a phase that did not happen (a reused socket, a literal host, plain http) is absent. */
export interface HopTimings {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly firstByte?: number;
  readonly download?: number;
}

/** Facts about the connection; fields that the platform does not expose are absent. */
export interface ConnectionFacts {
  readonly address?: string;
  readonly port?: number;
  readonly reused?: boolean;
  readonly alpn?: string;
  readonly tlsVersion?: string;
  readonly certificate?: PeerCertificate;
}

export interface PeerCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly altNames: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  readonly serialNumber: string;
  /** SHA-256 over the DER form, lower-case hex. */
  readonly sha256: string;
}

/**
 * How sure the engine is that it dials the judged address. `pinned`: the socket connects to an address that was
 * judged, and the peer is judged again. `checked`: the platform dials by name after our check.
 */
export type Assurance = 'pinned' | 'checked';

export interface Egress {
  readonly assurance: Assurance;
  readonly policy: Policy;
  /** Rejects with a coded error; never follows a redirect. */
  send(request: HopRequest): Promise<HopResponse>;
  close(): Promise<void>;
}

/** Looks up all addresses of a name. Rejects with `dns_error` or `timeout`. */
export interface Resolver {
  resolve(target: Target, signal: AbortSignal): Promise<readonly string[]>;
}
