/** What an audit needs from its runtime besides the egress layer: time, chance, a reader of documents, transport and DNS facts. */
import type { Egress } from '../../net/index.js';
import type { DocumentSource } from '../extract/extract-document.js';
import type { DocumentFacts } from '../facts/page-facts.js';

export interface AuditClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, also 0 (which lets other work go first); rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Extracts a document where it may take its time: a worker thread on Node, in place at the edge. */
export interface DocumentReader {
  read(source: DocumentSource): Promise<ReadDocument>;
}

export type ReadDocument =
  | { readonly document: DocumentFacts; readonly fault: null }
  | { readonly document: null; readonly fault: 'too-deep' | 'too-slow' };

/** Which protocol a TLS server picks when h2 is offered; absent where the platform cannot ask. */
export interface AlpnProbe {
  negotiated(origin: string, signal: AbortSignal): Promise<string | null>;
}

/** TXT records of a name; an empty list where there are none. Absent where the platform cannot ask. */
export interface TextRecords {
  lookup(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** The settings `audit.*`: bounds of one fetch. */
export interface FetchBounds {
  readonly fetchMs: number;
  /** Decoded bytes that are kept of a body. */
  readonly bodyBytesMax: number;
  readonly redirectsMax: number;
}

export interface AuditPorts {
  readonly egress: Egress;
  /** The product's own unless given. */
  readonly bounds?: FetchBounds;
  readonly clock: AuditClock;
  readonly documents: DocumentReader;
  readonly alpn?: AlpnProbe;
  readonly textRecords?: TextRecords;
  /** Hex, where the runtime can do it in place; without it the platform's own, which goes through other threads. */
  sha256?(bytes: Uint8Array): string;
  /** 0 up to 1, for jitter. */
  random(): number;
}
