/** A request as a host passes it to the door. Nothing is built until it is read. */
import type { HeaderPair } from '../net/index.js';

export interface Arrived {
  readonly method: string;
  /** Of the URL that was asked for: `http` or `https`, and its host with the port. */
  readonly scheme: string;
  readonly authority: string;
  /** Percent-encoded, without dot segments. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  /** The connection's peer; absent if the platform hides it. */
  readonly peerAddress?: string | undefined;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
  /** `name` is in lower case. */
  header(name: string): string | null;
  /** All of them, sorted, with names in lower case and the values of one name joined. */
  headers(): readonly HeaderPair[];
  /** The whole body. Rejects with `BODY_TOO_LARGE`, or with `INVALID_REQUEST` if it is incomplete. */
  bytes(bytesMax: number): Promise<Uint8Array>;
  /** The same body as it arrives, which can be read once. */
  pieces(bytesMax: number): AsyncIterableIterator<Uint8Array>;
}
