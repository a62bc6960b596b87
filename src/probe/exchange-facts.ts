/**
 * What further, harmless questions to the same side brought. Each is asked once a side, of the final URL of
 * the first sample, without following redirects; one that failed has `error` and is missing from the coverage.
 */
import type { CertificateFacts } from './signal-envelope.js';

export interface Exchanges {
  readonly preflight?: Exchange & {
    readonly origin: string;
    readonly method: string;
    readonly requestHeaders: string;
  };
  /** Two GETs with an Origin: the side's own, and one that no site lists. */
  readonly origins?: readonly OriginExchange[];
  readonly head?: Exchange;
  readonly options?: Exchange;
  /** GET with If-None-Match or If-Modified-Since; absent where the first answer had no validator. */
  readonly conditional?: Exchange & { readonly validator: 'etag' | 'last-modified' };
  /** The same URL over http; absent where the side was asked over http. */
  readonly httpVariant?: Exchange & { readonly url: string };
  readonly robots?: Exchange & { readonly robots?: RobotsFacts };
  readonly dns?: DnsFacts;
  readonly tls?: TlsExchange;
  /** Requests that were sent, and the time all exchanges took together. */
  readonly requests: number;
  readonly durationMs: number;
}

export interface Exchange {
  /** Absent where no answer came. */
  readonly status?: number;
  /** The answer's headers whose names are in `extended-headers.ts`, the core or `access-control-*`: lines. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface OriginExchange extends Exchange {
  readonly origin: string;
  readonly relation: 'own' | 'foreign';
}

export interface RobotsFacts {
  readonly groups: readonly RobotsGroup[];
  readonly sitemaps: readonly string[];
  readonly truncated: boolean;
}

export interface RobotsGroup {
  /** Lower case, in order. */
  readonly agents: readonly string[];
  readonly allow: readonly string[];
  readonly disallow: readonly string[];
}

/** Sorted by code unit; an empty list means that the name has none. */
export interface DnsFacts {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: readonly string[];
  readonly caa?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** A handshake that offers h2 and http/1.1, accepts any certificate to look at it, and sends no request. */
export interface TlsExchange {
  readonly alpn?: string;
  readonly version?: string;
  readonly cipher?: string;
  /** False with the reason (`CERT_HAS_EXPIRED`, …) where the certificate does not verify. */
  readonly authorized?: boolean;
  readonly authorizationError?: string;
  readonly certificate?: CertificateFacts;
  readonly chain?: readonly { readonly subject: string; readonly issuer: string }[];
  readonly error?: { readonly code: string; readonly message: string };
}
