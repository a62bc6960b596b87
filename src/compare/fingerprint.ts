/**
 * What identifies a difference from run to run. The fingerprint holds code, route, keys, kinds and direction, and no
 * value, host, time or id, so that it stays the same after a deployment. The value fingerprint adds the exact path
 * and both values with the sides' own hosts mapped and nonces left out: it changes as soon as anything else that was
 * seen does.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Direction, FindingValue } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import { urlParts } from './plain-url.js';

interface FingerprintPart {
  readonly section: string;
  readonly key: string;
  readonly kind?: string;
  readonly left: FindingValue;
  readonly right: FindingValue;
}

export interface FingerprintInput {
  readonly code: FindingCode;
  /** The route for a fingerprint, the exact path for a value fingerprint. */
  readonly place: string;
  readonly direction: Direction;
  readonly parts: readonly FingerprintPart[];
}

/** 128 bits: enough to distinguish findings, short enough to copy. */
const BYTES = 16;
const HEX_CHARS = 2 * BYTES;

/** SHA-256 of a text in hex. A platform's own is several times as fast as ours, and gives the same. */
export type TextHash = (text: string) => string;

export const portableTextHash: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

export function fingerprintOf(finding: FingerprintInput, hash: TextHash): string {
  return hashed(finding, hash, valueClass);
}

/** `shown` gives the text of a value as it is compared; without it only classes of values count. */
export function valueFingerprintOf(
  finding: FingerprintInput,
  hash: TextHash,
  shown: (value: FindingValue, side: 'left' | 'right') => string,
): string {
  return hashed(finding, hash, shown);
}

function hashed(
  { code, place, direction, parts }: FingerprintInput,
  hash: TextHash,
  shown: (value: FindingValue, side: 'left' | 'right') => string,
): string {
  let text = prefixed(code) + prefixed(place) + prefixed(direction);
  for (const { section, key, kind, left, right } of parts) {
    text += prefixed(section) + prefixed(key) + prefixed(kind ?? '');
    text += prefixed(shown(left, 'left')) + prefixed(shown(right, 'right'));
  }
  return hash(text).slice(0, HEX_CHARS);
}

/** Each part behind its length, so that no two lists of parts make the same text. */
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

/** Path and query, as they were requested. */
export function pathOf(text: string): string {
  const path = urlParts(text)?.pathname;
  if (path === undefined) return text;
  const query = text.indexOf('?');
  return query < 0 ? path : path + text.slice(query).replace(/#[\s\S]*/, '');
}
