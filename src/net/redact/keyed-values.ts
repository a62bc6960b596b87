/**
 * Every `name <separator> value` in text: header lines, JSON, YAML, environment, queries, forms, connection
 * strings, XML elements, command-line flags, and all of these escaped inside one another.
 *
 * One pass by hand over the separators, each asking what stands before it; a hidden value is stepped over
 * whole. Every look back or ahead is bounded or consumed, so the pass is linear in the text.
 */
import { BACKSLASH, skipRun } from './char-classes.js';
import { maskFlag } from './command-flags.js';
import { maskTuple } from './header-tuples.js';
import { type KeyBefore, keyBefore } from './key-before.js';
import type { Mask } from './mask.js';
import { NamedPairs } from './named-pairs.js';
import { maskValue, type Separator, type ValueSite } from './secret-value.js';

const COLON = 58;
const EQUALS = 61;
const interesting = new Uint8Array(128);
for (const character of ':=%&\\,-<>') interesting[character.charCodeAt(0)] = 1;

const ENCODED_SEPARATOR = /%(?:25){0,3}3[ad]|&#(?:61|58|x3[ad]);|\\{1,8}u003[ad]/iy;

interface Scan {
  readonly text: string;
  readonly mask: Mask;
  readonly pairs: NamedPairs;
  /** Where the last `<` stood that no `>` has closed. */
  tag: number;
}

export function maskKeyedValues(text: string, mask: Mask): void {
  const scan: Scan = { text, mask, pairs: new NamedPairs(text, mask), tag: -1 };
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    at = code < 128 && interesting[code] === 1 ? Math.max(at + 1, visit(scan, at, code)) : at + 1;
  }
}

/** Handles the character at `at` and returns where to continue. */
function visit(scan: Scan, at: number, code: number): number {
  switch (code) {
    case COLON:
      return afterColon(scan, at);
    case EQUALS:
      return afterEquals(scan, at);
    case 44: // ,
      return maskTuple(scan.text, at, scan.mask);
    case 45: // -
      return maskFlag(scan.text, at, scan.mask);
    case 60: // <
      scan.tag = at;
      return at + 1;
    case 62: // >
      return afterTag(scan, at);
    default:
      return afterEncoded(scan, at);
  }
}

function afterColon(scan: Scan, at: number): number {
  const { text } = scan;
  const next = text.charCodeAt(at + 1);
  // `Token::parse` and `secret://` are names, not pairs.
  if (next === COLON) return at + 2;
  if (next === 47 && text.charCodeAt(at + 2) === 47) return at + 1;
  const end = next === EQUALS ? at + 2 : at + 1;
  return afterSeparator(scan, { start: at, end, sign: ':', percentLevel: 0, quotedOnly: false });
}

function afterEquals(scan: Scan, at: number): number {
  const { text } = scan;
  let end = at + 1;
  while (end - at < 3 && (text.charCodeAt(end) === EQUALS || text.charCodeAt(end) === 62)) end += 1;
  return afterSeparator(scan, { start: at, end, sign: '=', percentLevel: 0, quotedOnly: end > at + 1 });
}

function afterEncoded(scan: Scan, at: number): number {
  // `%2…`, `%3…`, `&#…` and `\u…` only: most of these characters are no escape of a separator.
  if (!'23#u\\'.includes(scan.text.charAt(at + 1))) return at + 1;
  ENCODED_SEPARATOR.lastIndex = at;
  const found = ENCODED_SEPARATOR.exec(scan.text)?.[0];
  if (found === undefined) return skipRun(scan.text, at + 1, (code) => code === BACKSLASH);
  const percentLevel = found.startsWith('%') ? (found.length - 1) / 2 : 0;
  const sign = /(?:a|58;|a;)$/i.test(found) ? ':' : '=';
  return afterSeparator(scan, { start: at, end: at + found.length, sign, percentLevel, quotedOnly: false });
}

function afterSeparator(scan: Scan, separator: Separator): number {
  const { text, mask } = scan;
  const key = keyBefore(text, separator.start);
  if (key === undefined || isUserinfo(text, key) || isResourceName(text, key)) return separator.end;
  const site: ValueSite = { text, mask, key, separator };
  return scan.pairs.visit(site) ?? (key.kind === 'plain' ? separator.end : maskValue(site));
}

/** `//x-access-token:…@host` is left to the URL rule, which keeps the host. */
function isUserinfo(text: string, key: KeyBefore): boolean {
  return (
    key.quote === undefined && text.charCodeAt(key.start - 1) === 47 && text.charCodeAt(key.start - 2) === 47
  );
}

/** `arn:aws:secretsmanager:…:secret:name` is the location of a secret, not the secret. */
function isResourceName(text: string, key: KeyBefore): boolean {
  if (key.kind === 'plain' || text.charCodeAt(key.start - 1) !== 58) return false;
  return /\b[au]rn:[\w:/-]*$/.test(text.slice(Math.max(0, key.start - 120), key.start));
}

/** `<password>value</password>`, with or without attributes. */
function afterTag(scan: Scan, at: number): number {
  const { text, mask, tag } = scan;
  scan.tag = -1;
  if (tag < 0 || text.charCodeAt(at - 1) === 47) return at + 1;
  const name = /^[\w.-]{1,64}/.exec(text.slice(tag + 1, Math.min(at, tag + 66)))?.[0];
  if (name === undefined) return at + 1;
  const key = keyBefore(text, tag + 1 + name.length);
  if (key === undefined || (key.kind !== 'secret' && key.kind !== 'authorization')) return at + 1;
  const open = text.indexOf('<', at);
  const end = open < 0 ? text.length : open;
  if (text.slice(at + 1, end).trim() !== '') mask.add(at + 1, end);
  return end;
}
