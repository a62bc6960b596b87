/**
 * Redacts structured values. The result is a plain copy in which every leaf under a credential's name is hidden and
 * every other string has passed the text rules. Null, undefined and booleans always stay, because `"token": null` is
 * not a secret.
 *
 * Never throws and never returns its input; bounded in depth and in the number of values. Idempotent: each value is
 * first reduced to a list or to entries (`plain-shape.ts`), so a second pass counts the same.
 */
import { setOwn } from '../../set-own.js';
import { classifyKey, isSecretKey } from './classify-key.js';
import { isHarmlessLiteral, isScheme, looksOpaque } from './harmless-values.js';
import { isOtherName, namesValueInList } from './header-tuples.js';
import { MASK } from './mask.js';
import { type Entry, shapeOf, UNREADABLE } from './plain-shape.js';

export const DEPTH_MAX = 32;
export const VALUES_MAX = 50_000;
const TRUNCATED = '[TRUNCATED]';
const CIRCULAR = '[CIRCULAR]';

interface Walk {
  readonly text: (input: string) => string;
  readonly ancestors: object[];
  visited: number;
}

export function redactValue(input: unknown, text: (input: string) => string): unknown {
  return visit({ text, ancestors: [], visited: 0 }, input, false);
}

/** What is hidden under a credential's name: every leaf, or every leaf except numbers. */
type Hiding = false | 'all' | 'texts';

function visit(walk: Walk, input: unknown, secret: Hiding): unknown {
  walk.visited += 1;
  try {
    return visitShape(walk, input, secret);
  } catch {
    return secret ? MASK : UNREADABLE;
  }
}

function visitShape(walk: Walk, input: unknown, secret: Hiding): unknown {
  const shape = shapeOf(input);
  if (shape.kind === 'nothing') return shape.value;
  if (shape.kind === 'number') return secret === 'all' ? MASK : numberOrMask(walk, shape.value);
  if (shape.kind === 'text') {
    if (secret) return shape.value === '' ? '' : MASK;
    return walk.text(shape.value);
  }
  if (walk.ancestors.includes(shape.source)) return secret ? MASK : CIRCULAR;
  if (walk.ancestors.length >= DEPTH_MAX) return secret ? MASK : TRUNCATED;
  walk.ancestors.push(shape.source);
  try {
    return shape.kind === 'list'
      ? visitList(walk, shape.items, secret)
      : visitEntries(walk, shape.entries, secret);
  } finally {
    walk.ancestors.pop();
  }
}

/** A live secret may consist of digits only. */
function numberOrMask(walk: Walk, value: number): unknown {
  const written = String(value);
  return walk.text(written) === written ? value : MASK;
}

function visitList(walk: Walk, items: readonly unknown[], secret: Hiding): unknown[] {
  const out: unknown[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (walk.visited >= VALUES_MAX) {
      out.push(TRUNCATED);
      break;
    }
    out.push(visit(walk, items[at], secret || (isNamedByNeighbour(items, at, out.at(-1)) && 'all')));
  }
  return out;
}

/** `[name, value]`, `[name, value, name, value, …]` and `['--password', value]`. */
function isNamedByNeighbour(items: readonly unknown[], at: number, copiedName: unknown): boolean {
  const name = textOf(items[at - 1]);
  if (name === undefined) return false;
  // Checks the original and the copied name: a second pass sees only the copy.
  const names = typeof copiedName === 'string' ? [name, copiedName] : [name];
  const isTuple = items.length === 2 && names.some(isSecretKey);
  if (!isTuple && !names.some(namesValueInList)) return false;
  const value = textOf(items[at]);
  if (value === undefined) return isTuple;
  return !isOtherName(value) && !(name.startsWith('-') && value.startsWith('-'));
}

/** The text that a value becomes in the copy, if any, so that a second pass judges it alike. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    const shape = shapeOf(value);
    return shape.kind === 'text' ? shape.value : undefined;
  } catch {
    return UNREADABLE;
  }
}

function visitEntries(walk: Walk, entries: readonly Entry[], secret: Hiding): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const isSecretPair = hasSecretName(walk, entries);
  const isWebKey = entries.some(([key]) => key === 'kty');
  const isGrant = entries.some(([key]) => key === 'grant_type' || key === 'code_verifier');
  for (const [key, read] of entries) {
    if (walk.visited >= VALUES_MAX) {
      setOwn(out, TRUNCATED, TRUNCATED);
      break;
    }
    const name = walk.text(key);
    const value = read();
    const special =
      (isWebKey && classifyKey(key) === 'jwk') ||
      (isGrant && classifyKey(key) === 'code') ||
      (isSecretPair && PAIR_VALUE.test(key));
    const hidden = secret || hides(walk, name, value) || hides(walk, key, value) || (special && 'all');
    setOwn(out, unusedName(out, name), visit(walk, value, hidden));
  }
  return out;
}

function hides(walk: Walk, name: string, value: unknown): Hiding {
  switch (classifyKey(name)) {
    case 'secret':
    case 'authorization':
    case 'cookie':
      return 'all';
    case 'counted':
      return 'texts';
    case 'auth':
      return hidesUnderAuth(value) && 'all';
    case 'opaque': {
      const text = textOf(value);
      return text !== undefined && (looksOpaque(text) || looksOpaque(walk.text(text))) && 'all';
    }
    default:
      return false;
  }
}

/** An object under `auth` is judged by its own keys. */
function hidesUnderAuth(value: unknown): boolean {
  const text = textOf(value);
  if (text !== undefined) return !isScheme(text) && !isHarmlessLiteral(text) && text !== UNREADABLE;
  return typeof value === 'number' || shapeOf(value).kind === 'list';
}

const PAIR_NAME = /^(?:name|key|header|field)$/i;
const PAIR_VALUE = /^val(?:ue)?$/i;

/** Whether this is a HAR `{name, value}` or a `{key, value}` object that names a credential. */
function hasSecretName(walk: Walk, entries: readonly Entry[]): boolean {
  if (!entries.some(([key]) => PAIR_VALUE.test(key))) return false;
  return entries.some(([key, read]) => {
    const name = PAIR_NAME.test(key) ? textOf(read()) : undefined;
    return name !== undefined && (isSecretKey(name) || isSecretKey(walk.text(name)));
  });
}

/** Keeps both of two keys that became equal by redaction. */
function unusedName(out: Record<string, unknown>, name: string): string {
  if (!Object.hasOwn(out, name)) return name;
  let count = 2;
  while (Object.hasOwn(out, `${name}#${count}`)) count += 1;
  return `${name}#${count}`;
}
