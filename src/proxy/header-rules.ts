/**
 * Which headers cross the proxy. Towards the upstream: everything the caller sent but what belongs to one hop
 * (the door drops those, and those that `Connection` names), what is the proxy's own, and what would give
 * away the caller's session. Back: a list of names that are safe to keep and to show.
 */
import { fromBase64Url, type HeaderList, type HeaderPair, toBase64Url } from '../net/index.js';

const OWN = new Set([
  'accept-encoding',
  'authorization',
  'cookie',
  'cookie2',
  'orphan-policy',
  'sonde-authorization',
  'upstream-authorization',
  'upstream-method',
  'upstream-url',
]);

/** `identity`: what is stored should be what the upstream said, and offsets count its bytes. */
const ASKED_CODING: HeaderPair = ['accept-encoding', 'identity'];

export function requestHeaders(given: HeaderList, credentials: HeaderList): HeaderPair[] {
  const kept = given.filter(([name]) => !OWN.has(name.toLowerCase()));
  const replaced = new Set(credentials.map(([name]) => name));
  return [...kept.filter(([name]) => !replaced.has(name.toLowerCase())), ...credentials, ASKED_CODING];
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

export function safeHeaders(headers: HeaderList): HeaderPair[] {
  return headers
    .filter(([name]) => SAFE.has(name) || SAFE_PATTERN.test(name))
    .map(([name, value]) => [name, value]);
}

const ENCODED_CHARS_MAX = 8 * 1024;

/** base64url of the JSON list of pairs. What would not fit is left out whole, never cut. */
export function encodeHeaders(pairs: HeaderList): string {
  const kept: HeaderPair[] = [];
  for (const pair of pairs) {
    if (encode([...kept, pair]).length <= ENCODED_CHARS_MAX) kept.push(pair);
  }
  return encode(kept);
}

function encode(pairs: HeaderList): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(pairs)));
}

export function decodeHeaders(text: string): HeaderPair[] {
  return JSON.parse(new TextDecoder().decode(fromBase64Url(text))) as HeaderPair[];
}
