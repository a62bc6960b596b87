/**
 * The recorded result of one fetch: a response is a fact, and so is its absence.
 *
 * Exactly one of `status` and `error` is set. Cookie values are never recorded: a `Set-Cookie` becomes a name and its
 * flags, and the header itself is left out of `headers`.
 */
import type { HeaderList, RedirectHop } from '../../net/index.js';

export interface FetchFacts {
  /** As requested, without a fragment. */
  readonly url: string;
  readonly method: 'GET' | 'HEAD';
  /** The final status; null if there was no HTTP response. */
  readonly status: number | null;
  readonly error: FetchFault | null;
  /** Where the redirects ended, or the URL that failed. */
  readonly finalUrl: string;
  readonly redirects: readonly RedirectHop[];
  /** Headers of the final response, with names in lower case and repeats, without `set-cookie`. */
  readonly headers: HeaderList;
  readonly cookies: readonly CookieFacts[];
  /** From sending the last hop's request to its first byte. */
  readonly ttfbMs: number | null;
  readonly totalMs: number;
  /** Decoded bytes that were kept; null if no body was read (HEAD, or no response). */
  readonly bodyBytes: number | null;
  /** Bytes on the wire, including framing; null if the platform hides them or no body was read. */
  readonly wireBytes: number | null;
  /** Whether the body exceeded the limit and was truncated. */
  readonly truncated: boolean;
  /** SHA-256 of the decoded bytes that were kept, in hex; null if no body was read. */
  readonly bodySha256: string | null;
  /** 1 to 3. */
  readonly attempts: number;
  readonly tls: TlsFacts | null;
}

export interface FetchFault {
  /** A code of the error table: `timeout`, `tls_error`, `redirect_loop`, `ssrf_blocked`, … */
  readonly code: string;
  readonly message: string;
}

export interface CookieFacts {
  readonly name: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** In lower case: `strict`, `lax` or `none`; null if SameSite is missing or invalid. */
  readonly sameSite: string | null;
  readonly path: string | null;
  readonly domain: string | null;
  readonly persistent: boolean;
}

/** The connection of the final response; null values are those that a platform hides. */
export interface TlsFacts {
  readonly alpn: string | null;
  readonly version: string | null;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly altNames: readonly string[];
  /** ISO 8601. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** The first value of a header, by its name in lower case. */
export function headerOf(fetch: Pick<FetchFacts, 'headers'>, name: string): string | null {
  for (const pair of fetch.headers) if (pair[0] === name) return pair[1];
  return null;
}

/** All values of a header, in order. */
export function headersOf(fetch: Pick<FetchFacts, 'headers'>, name: string): string[] {
  return fetch.headers.filter((pair) => pair[0] === name).map((pair) => pair[1]);
}

/** `text/html` in `Text/HTML; charset=utf-8`; empty if there is none. */
export function mediaTypeOf(fetch: Pick<FetchFacts, 'headers'>): string {
  return (headerOf(fetch, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
