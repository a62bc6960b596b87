/**
 * The name of a difference from run to run: code, route, keys, kinds and direction. No value, host, time or id
 * goes in, so that a rotating value keeps its fingerprint and a baseline stays true after a deployment.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Direction, FindingValue } from './finding.js';
import type { FindingCode } from './finding-codes.js';

export interface FingerprintParts {
  readonly code: FindingCode;
  readonly route: string;
  readonly direction: Direction;
  readonly parts: readonly {
    readonly section: string;
    readonly key: string;
    readonly kind: string | undefined;
    readonly left: FindingValue;
    readonly right: FindingValue;
  }[];
}

/** 128 bits: enough to tell findings apart, short enough to copy. */
const BYTES = 16;

export function fingerprintOf({ code, route, direction, parts }: FingerprintParts): string {
  let text = prefixed(code) + prefixed(route) + prefixed(direction);
  for (const { section, key, kind, left, right } of parts) {
    text += prefixed(section) + prefixed(key) + prefixed(kind ?? '');
    text += prefixed(valueClass(left)) + prefixed(valueClass(right));
  }
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, BYTES));
}

/** Each part behind its length, so that no two lists of parts make the same text. */
function prefixed(part: string): string {
  return `${part.length}:${part}`;
}

function valueClass(value: FindingValue): string {
  if (value === null) return 'absent';
  if (typeof value === 'object') return value.length === 0 ? 'empty' : 'list';
  return typeof value;
}

const NUMERIC = /^\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LONG_ID = /^(?=.*\d)[0-9a-z_-]{20,}$/i;

/** A path with its ids replaced, so that `/users/17` and `/users/18` are one route. No query. */
export function routeTemplate(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return path
    .split('/')
    .map((part) => (NUMERIC.test(part) || UUID.test(part) || LONG_ID.test(part) ? '{id}' : part))
    .join('/');
}
