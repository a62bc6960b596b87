/** A hop in the form in which it travels between a test and the object that sends it. */
import type { HeaderList, RequestLimits } from '../../src/net/index.js';

export interface WireHop {
  readonly url: string;
  readonly allowPrivate: readonly string[];
  readonly method: string;
  readonly headers: HeaderList;
  /** Bytes, or the pieces of a stream. */
  readonly body?: Uint8Array | readonly Uint8Array[];
  readonly limits: RequestLimits;
}

export interface WireHead {
  readonly status: number;
  readonly headers: HeaderList;
}
