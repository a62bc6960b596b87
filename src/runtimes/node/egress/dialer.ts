/**
 * The port that opens a socket to a judged address. The real one uses the machine's network; the scripted one
 * runs a file of cases. Both sit below the policy, so both see only what it let through.
 */
import type { Duplex } from 'node:stream';
import type { PeerCertificate, Target } from '../../../net/index.js';

export interface DialRequest {
  readonly target: Target;
  /** All judged; the dialer may try them in turn. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** Throws if the peer a socket really has is refused; called before any byte is sent. */
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
