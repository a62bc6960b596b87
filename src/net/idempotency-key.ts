/**
 * Keys that identify "the same work": SHA-256 over length-prefixed parts, so that different lists of parts cannot
 * collide by concatenation. Synchronous on purpose: it runs in pure code on every engine.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { SondeError } from '../errors.js';
import { canonicalUrl } from './canonical-url.js';

export interface KeyedWork {
  readonly tenant: string;
  readonly url: string;
  readonly options: unknown;
  /** Changes with the work's logic, so that an old result is not reused after a change. */
  readonly recipeVersion: string;
}

const DEPTH_MAX = 64;

export function idempotencyKey(work: KeyedWork): string {
  return hashParts([work.tenant, canonicalUrl(work.url), sortedJson(work.options), work.recipeVersion]);
}

/** 64 lower-case hex digits. Each part is preceded by its length in bytes and a colon. */
export function hashParts(parts: readonly string[]): string {
  const hash = sha256.create();
  for (const part of parts) {
    const bytes = utf8ToBytes(part);
    hash.update(utf8ToBytes(`${bytes.length}:`)).update(bytes);
  }
  return bytesToHex(hash.digest());
}

/** JSON with object keys in code-unit order and without undefined members. Throws if JSON cannot represent a value. */
export function sortedJson(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX)
    throw new SondeError('INVALID_REQUEST', `options nest deeper than ${DEPTH_MAX} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item ?? null, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return scalarJson(value);
  const object = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(object[key], depth + 1)}`);
  return `{${members.join(',')}}`;
}

function scalarJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (Number.isFinite(value)) return JSON.stringify(value);
  throw new SondeError('INVALID_REQUEST', `options contain a ${typeof value} that JSON cannot represent`);
}
