/**
 * The port that opens a socket to a judged address. The real dialer uses the machine's network; the scripted one runs
 * test cases. Both get only addresses that the policy allowed.
 */
import type { Duplex } from 'node:stream';
import type { PeerCertificate, Target } from '../../../net/index.js';

export interface DialRequest {
  readonly target: Target;
  /** Allowed addresses; the dialer may try them in turn. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** Throws if the actual peer of the socket is refused. Called before any byte is sent. */
  judgePeer(address: string): void;
}

export interface Dialled {
  readonly socket: Duplex;
  readonly address: string;
  readonly connectMs: number;
  readonly tls?: TlsFacts;
}

export interface TlsFacts {
  readonly ms: number;
  readonly alpn?: string;
  readonly version?: string;
  readonly certificate?: PeerCertificate;
}

export interface Dialer {
  dial(request: DialRequest, signal: AbortSignal): Promise<Dialled>;
}
