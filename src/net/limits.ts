/** The limits of one outbound request, each with its default and the error code it fails with. */
export interface RequestLimits {
  /** DNS, connect, TLS, all hops and the whole body: `timeout`. */
  readonly totalMs: number;
  /** From the start of a hop to its response head, including the connect: `timeout`. */
  readonly headersMs: number;
  /** Between two chunks of the body: `timeout`. */
  readonly idleMs: number;
  /** The body after decoding: `response_too_large`. */
  readonly bodyBytes: number;
  /** All bytes of one response on its socket, including framing and trailers: `response_too_large`. */
  readonly wireBytes: number;
}

export const DEFAULT_LIMITS: RequestLimits = {
  totalMs: 30_000,
  headersMs: 30_000,
  idleMs: 30_000,
  bodyBytes: 10_000_000,
  wireBytes: 24_000_000,
};

/** The response head with its status line: `header_too_large`. A limit of the connection, not of a request. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** `wireBytes` scales with `bodyBytes`, so that raising one does not silently leave the other in the way. */
export function completeLimits(limits: Partial<RequestLimits> = {}): RequestLimits {
  const bodyBytes = limits.bodyBytes ?? DEFAULT_LIMITS.bodyBytes;
  return {
    totalMs: limits.totalMs ?? DEFAULT_LIMITS.totalMs,
    headersMs: limits.headersMs ?? limits.totalMs ?? DEFAULT_LIMITS.headersMs,
    idleMs: limits.idleMs ?? limits.totalMs ?? DEFAULT_LIMITS.idleMs,
    bodyBytes,
    wireBytes: limits.wireBytes ?? bodyBytes * 2 + 4_000_000,
  };
}
