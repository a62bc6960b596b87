/**
 * The recorded result of one fetch: the response of a target is a fact, and so is its absence.
 *
 * Exactly one of `status` and `error` is set. Cookie values never get in here: a `Set-Cookie` is recorded as
 * a name and its flags, and the header itself is left out of `headers`.
 */
import type { HeaderList } from '../../net/index.js';

export interface FetchFacts {
  /** As requested, without a fragment. */
  readonly url: string;
  readonly method: 'GET' | 'HEAD';
  /** The final status; null where no HTTP response came. */
  readonly status: number | null;
  readonly error: FetchFault | null;
  /** Where the redirects ended, or the URL that failed. */
  readonly finalUrl: string;
  readonly redirects: readonly FetchRedirect[];
  /** Of the final response, names in lower case, repeats kept, `set-cookie` left out. */
  readonly headers: HeaderList;
  readonly cookies: readonly CookieFacts[];
  /** From sending the last hop's request to its first byte. */
  readonly ttfbMs: number | null;
  readonly totalMs: number;
  /** Decoded bytes that were kept; null where no body was read (HEAD, or no response). */
  readonly bodyBytes: number | null;
  /** Bytes on the wire, framing included; null where a platform hides them or no body was read. */
  readonly wireBytes: number | null;
  /** The body was longer than the limit on bytes and was truncated there. */
  readonly truncated: boolean;
  /** SHA-256 of the decoded bytes that were kept, hex; null where no body was read. */
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

export interface FetchRedirect {
  readonly fromUrl: string;
  readonly toUrl: string;
  readonly status: number;
}

export interface CookieFacts {
  readonly name: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** In lower case: `strict`, `lax`, `none`; null where the cookie has no (or another) SameSite. */
  readonly sameSite: string | null;
  readonly path: string | null;
  readonly domain: string | null;
  readonly persistent: boolean;
}

/** Of the connection that gave the final response; absent facts are those a platform hides. */
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

/** `text/html` of `Text/HTML; charset=utf-8`; empty where there is none. */
export function mediaTypeOf(fetch: Pick<FetchFacts, 'headers'>): string {
  return (headerOf(fetch, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
