/**
 * Derives the next request from a redirect (RFC 9110 §15.4, and the Fetch standard where it is stricter). Credentials
 * never reach another origin: once the origin changes, only a short list of harmless headers is kept, and dropped
 * headers do not come back.
 */
import { SondeError } from '../errors.js';
import type { RequestBody } from './egress.js';
import { carriedAcrossOrigins, type HeaderList, withoutContentHeaders } from './headers.js';
import { parseUrl } from './parse-url.js';

export interface Sendable {
  readonly method: string;
  readonly headers: HeaderList;
  readonly body?: RequestBody;
}

export interface Location {
  /** Absolute if it could be resolved, otherwise as received. */
  readonly url: string;
  /** Set if the value is not a URL; the hop is still reported. */
  readonly fault?: SondeError;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Faults that make a Location unusable; the policy refuses the others (a scheme, userinfo) with its own error. */
const UNRESOLVABLE = new Set(['unparsable', 'no_hostname', 'blank_or_control', 'too_long']);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

export function nextRequest(request: Sendable, status: number, sameOrigin: boolean): Sendable {
  const method = nextMethod(request.method, status);
  const keepsBody = request.body !== undefined && method === request.method;
  if (keepsBody && (!sameOrigin || !(request.body instanceof Uint8Array))) {
    const why = sameOrigin
      ? 'a streamed body cannot be sent twice'
      : 'a request body is not forwarded to another origin';
    throw new SondeError('redirect_body', `status ${status} asks to repeat the request: ${why}`);
  }
  const headers = sameOrigin ? request.headers : carriedAcrossOrigins(request.headers);
  return keepsBody
    ? { method, headers, body: request.body }
    : { method, headers: withoutContentHeaders(headers) };
}

function nextMethod(method: string, status: number): string {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET';
  if ((status === 301 || status === 302) && method === 'POST') return 'GET';
  return method;
}

export function locationOf(values: readonly string[], from: URL): Location {
  const [value] = values;
  if (value === undefined || value === '') {
    throw new SondeError('redirect_missing_location', 'a redirect without a Location');
  }
  const text = decodeValue(value).trim();
  if (values.length > 1) return unusable(text, `a redirect with ${values.length} Location headers`);
  const parsed = parseUrl(text, from);
  if (!parsed.ok) {
    const { rule, message } = parsed.refusal;
    return UNRESOLVABLE.has(rule)
      ? unusable(text, `the Location is not a valid URL: ${message}`)
      : { url: text };
  }
  // RFC 9110 §10.2.2: a Location without a fragment inherits the one of the requested URL.
  if (!text.includes('#')) parsed.url.hash = from.hash;
  return { url: parsed.url.href };
}

function unusable(url: string, message: string): Location {
  return { url, fault: new SondeError('redirect_invalid_location', message) };
}

/** Header values arrive as Latin-1; servers that send raw non-ASCII mean UTF-8, and browsers decode it so. */
function decodeValue(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(value, (c) => c.charCodeAt(0)));
  } catch {
    return value;
  }
}
