/**
 * The name of a difference from run to run: code, route, keys, kinds and direction. No value, host, time or id
 * goes in, so that a rotating value keeps its fingerprint and a baseline stays true after a deployment.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Direction, FindingValue } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import { urlParts } from './plain-url.js';

export interface FingerprintParts {
  readonly code: FindingCode;
  readonly route: string;
  readonly direction: Direction;
  readonly parts: readonly {
    readonly section: string;
    readonly key: string;
    readonly kind?: string;
    readonly left: FindingValue;
    readonly right: FindingValue;
  }[];
}

/** 128 bits: enough to tell findings apart, short enough to copy. */
const BYTES = 16;
const HEX_CHARS = 2 * BYTES;

/** SHA-256 of a text in hex. A platform's own is several times as fast as ours, and gives the same. */
export type TextHash = (text: string) => string;

export function fingerprintOf({ code, route, direction, parts }: FingerprintParts, hash?: TextHash): string {
  let text = prefixed(code) + prefixed(route) + prefixed(direction);
  for (const { section, key, kind, left, right } of parts) {
    text += prefixed(section) + prefixed(key) + prefixed(kind ?? '');
    text += prefixed(valueClass(left)) + prefixed(valueClass(right));
  }
  return hash ? hash(text).slice(0, HEX_CHARS) : hashOf(text);
}

/** One hasher that starts again from the same state: building one costs as much as hashing a fingerprint. */
const fresh = sha256.create();
const hasher = sha256.create();
const digest = new Uint8Array(sha256.outputLen);

function hashOf(text: string): string {
  fresh._cloneInto(hasher);
  hasher.update(utf8Of(text)).digestInto(digest);
  return bytesToHex(digest.subarray(0, BYTES));
}

const ASCII_MAX = 1024;
const ascii = new Uint8Array(ASCII_MAX);

/** Nearly always short and ASCII, which needs no encoder. */
function utf8Of(text: string): Uint8Array {
  if (text.length > ASCII_MAX) return utf8ToBytes(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return utf8ToBytes(text);
    ascii[at] = code;
  }
  return ascii.subarray(0, text.length);
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
export function routeTemplate(text: string): string {
  const path = urlParts(text)?.pathname ?? text;
  // Whatever counts as an id has a digit or a dash.
  if (!/[\d-]/.test(path)) return path;
  return path
    .split('/')
    .map((part) => (NUMERIC.test(part) || UUID.test(part) || LONG_ID.test(part) ? '{id}' : part))
    .join('/');
}
