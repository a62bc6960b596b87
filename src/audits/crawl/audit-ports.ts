/**
 * What an audit needs from its runtime besides the egress layer: time, randomness, document parsing, and facts about
 * transport and DNS.
 */
import type { Egress } from '../../net/index.js';
import type { DocumentSource } from '../extract/extract-document.js';
import type { DocumentFacts } from '../facts/page-facts.js';

export interface AuditClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, and yields to the event loop if that is 0; rejects with the reason of the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Extracts a document without blocking: in a worker thread on Node, in place on the edge. */
export interface DocumentReader {
  read(source: DocumentSource): Promise<ReadDocument>;
}

export type ReadDocument =
  | { readonly document: DocumentFacts; readonly fault: null }
  | { readonly document: null; readonly fault: 'too-deep' | 'too-slow' };

/** Which protocol a TLS server picks if h2 is offered; absent if the platform cannot find out. */
export interface AlpnProbe {
  negotiated(origin: string, signal: AbortSignal): Promise<string | null>;
}

/** TXT records of a name, or an empty list. Absent if the platform cannot look them up. */
export interface TextRecords {
  lookup(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** The settings `audit.*`: limits of one fetch. */
export interface FetchBounds {
  readonly fetchMs: number;
  /** Decoded bytes kept of a body. */
  readonly bodyBytesMax: number;
  readonly redirectsMax: number;
}

export interface AuditPorts {
  readonly egress: Egress;
  /** `FETCH_LIMITS` by default. */
  readonly bounds?: FetchBounds;
  readonly clock: AuditClock;
  readonly documents: DocumentReader;
  readonly alpn?: AlpnProbe;
  readonly textRecords?: TextRecords;
  /**
   * Returns hex, if the runtime can hash synchronously; by default Web Crypto is used, which involves other threads.
   */
  sha256?(bytes: Uint8Array): string;
  /** Runs a wait for a target or a pause, during which a worker may run other jobs. */
  during?<T>(wait: () => Promise<T>): Promise<T>;
  /** Runs one request in turn with those of other tenants. */
  inTurn?<T>(request: () => Promise<T>): Promise<T>;
  /** From 0 up to, but not including, 1; for jitter. */
  random(): number;
}
