/**
 * The name of a difference from run to run: code, route, keys, kinds and direction. No value, host, time or id
 * goes in, so that a rotating value keeps its fingerprint and a baseline stays true after a deployment.
 */
import { hashParts } from '../net/index.js';
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

const HEX_DIGITS = 32;

export function fingerprintOf({ code, route, direction, parts }: FingerprintParts): string {
  const texts = [code, route, direction];
  for (const { section, key, kind, left, right } of parts) {
    texts.push(section, key, kind ?? '', valueClass(left), valueClass(right));
  }
  return hashParts(texts).slice(0, HEX_DIGITS);
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
