/**
 * Which headers the proxy forwards. To the upstream: everything the caller sent except hop-by-hop headers (those that
 * `Connection` names are dropped here, the rest in the egress layer), the proxy's own headers, and cookies, which
 * belong to the caller's session with Sonde. From the upstream: listed headers that are safe to store and show.
 */
import {
  connectionNames,
  fromBase64Url,
  type HeaderList,
  type HeaderPair,
  headerValues,
  toBase64Url,
} from '../net/index.js';

const OWN = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'cookie',
  'cookie2',
  'orphan-policy',
  'proxy-connection',
  'sonde-authorization',
  'upstream-authorization',
  'upstream-method',
  'upstream-url',
]);

/** A body without a content coding can be read from any byte. */
const IDENTITY = 'identity';

/** `Connection` removes headers of the caller only; it must not remove headers that the proxy adds. */
export function requestHeaders(
  given: HeaderList,
  credentials: HeaderList,
  acceptEncoding: string = IDENTITY,
): HeaderPair[] {
  const nominated = connectionNames(given);
  const replaced = new Set(credentials.map(([name]) => name));
  const kept = given.filter(([name]) => {
    const lower = name.toLowerCase();
    return !OWN.has(lower) && !nominated.has(lower) && !replaced.has(lower);
  });
  return [...kept, ...credentials, ['accept-encoding', acceptEncoding]];
}

const SAFE = new Set([
  'age',
  'cache-control',
  'cf-ray',
  'content-disposition',
  'content-language',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'retry-after',
  'retry-after-ms',
  'server-timing',
  'x-should-retry',
]);
const SAFE_PATTERN = /(?:^|-)request-?id$|rate-?limit|^openai-|^anthropic-|-processing-ms$/;

/** Values that can be sent as a header: no control characters, and nothing outside Latin-1. */
const VALID_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** The headers that are true only for a body stored as received: its length and coding. */
export function bodyHeaders(headers: HeaderList): HeaderPair[] {
  return headers.filter(
    ([name, value]) =>
      (name === 'content-encoding' && VALID_VALUE.test(value)) ||
      (name === 'content-length' && /^\d{1,15}$/.test(value)),
  );
}

export function safeHeaders(headers: HeaderList): HeaderPair[] {
  const nominated = connectionNames(headers);
  return headers
    .filter(([name, value]) => (SAFE.has(name) || SAFE_PATTERN.test(name)) && VALID_VALUE.test(value))
    .filter(([name]) => !nominated.has(name))
    .map(([name, value]) => [name, value]);
}

const CONTENT_TYPE_CHARS_MAX = 1024;

/** The upstream's content type, if it can be sent as a header. */
export function contentTypeOf(headers: HeaderList): string | null {
  const [value] = headerValues(headers, 'content-type');
  const usable = value !== undefined && value.length <= CONTENT_TYPE_CHARS_MAX && VALID_VALUE.test(value);
  return usable && value !== '' ? value : null;
}

const ENCODED_CHARS_MAX = 8 * 1024;
const encoder = new TextEncoder();

/** Encodes the pairs as JSON in base64url. A pair that does not fit is left out, never truncated. */
export function encodeHeaders(pairs: HeaderList): string {
  const kept: HeaderPair[] = [];
  let bytes = 2;
  for (const pair of pairs) {
    const more = encoder.encode(JSON.stringify(pair)).length + (kept.length > 0 ? 1 : 0);
    if (((bytes + more) * 4) / 3 > ENCODED_CHARS_MAX) continue;
    bytes += more;
    kept.push(pair);
  }
  return toBase64Url(encoder.encode(JSON.stringify(kept)));
}

export function decodeHeaders(text: string): HeaderPair[] {
  return JSON.parse(new TextDecoder().decode(fromBase64Url(text))) as HeaderPair[];
}
