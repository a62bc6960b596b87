/**
 * Identifies a difference from run to run. The fingerprint covers code, route, keys, kinds and direction, but no value,
 * host, time or id, so it stays the same after a deployment. The value fingerprint adds the exact path and both values,
 * with hosts mapped and nonces removed: it changes whenever anything else that was observed does.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Direction, FindingValue } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import { urlParts } from './plain-url.js';
import type { Difference } from './rule.js';

export interface FingerprintInput {
  readonly code: FindingCode;
  /** The route for a fingerprint, the exact path for a value fingerprint. */
  readonly place: string;
  readonly direction: Direction;
  readonly parts: readonly Difference[];
}

/** 128 bits: enough to distinguish findings, short enough to copy. */
const BYTES = 16;
const HEX_CHARS = 2 * BYTES;

/** SHA-256 of a text in hex. A platform's own implementation is several times faster and gives the same result. */
export type TextHash = (text: string) => string;

export const portableTextHash: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

export function fingerprintOf(finding: FingerprintInput, hash: TextHash): string {
  return valueFingerprintOf(finding, hash, valueClass);
}

/** `toText` returns the text of a value that goes into the hash. */
export function valueFingerprintOf(
  { code, place, direction, parts }: FingerprintInput,
  hash: TextHash,
  toText: (value: FindingValue, side: 'left' | 'right') => string,
): string {
  let text = prefixed(code) + prefixed(place) + prefixed(direction);
  for (const { section, key, kind, left, right } of parts) {
    text += prefixed(section) + prefixed(key) + prefixed(kind ?? '');
    text += prefixed(toText(left, 'left')) + prefixed(toText(right, 'right'));
  }
  return hash(text).slice(0, HEX_CHARS);
}

/** Prefixes a part with its length, so that different lists of parts never produce the same text. */
function prefixed(part: string): string {
  return `${part.length}:${part}`;
}

export function valueClass(value: FindingValue): string {
  if (value === null) return 'absent';
  if (typeof value === 'object') return value.length === 0 ? 'empty' : 'list';
  return typeof value;
}

const NUMERIC = /^\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LONG_ID = /^(?=.*\d)[0-9a-z_-]{20,}$/i;

/** A path with its ids replaced, so that `/users/17` and `/users/18` are one route. No query. */
export function routeTemplate(text: string): string {
  const path = urlParts(text)?.pathname ?? text;
  return path
    .split('/')
    .map((part) => (NUMERIC.test(part) || UUID.test(part) || LONG_ID.test(part) ? '{id}' : part))
    .join('/');
}

/** Path and query as requested. */
export function pathOf(text: string): string {
  const path = urlParts(text)?.pathname;
  if (path === undefined) return text;
  const query = text.indexOf('?');
  return query < 0 ? path : path + text.slice(query).replace(/#[\s\S]*/, '');
}
