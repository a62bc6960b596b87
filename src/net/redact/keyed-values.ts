/**
 * Masks the secret values of every `name <separator> value` in text: header lines, JSON, YAML, environment, queries,
 * forms, connection strings, XML elements, command-line flags, and all of these escaped inside one another.
 *
 * A hand-written scanner visits each separator, reads the name before it, and skips a hidden value as a whole. Every
 * lookbehind and lookahead is bounded or consumes text, so the pass is linear.
 */
import { anyOf, BACKSLASH, isBlank, isWord, skipRun } from './char-classes.js';
import { isSecretKind, type KeyKind } from './classify-key.js';
import { maskFlag } from './command-flags.js';
import { maskTuple } from './header-tuples.js';
import { type KeyBefore, keyBefore, keyInForm } from './key-before.js';
import type { Mask } from './mask.js';
import { NamedPairs } from './named-pairs.js';
import { isSecretFor, maskValue, type Separator, type ValueSite } from './secret-value.js';

const COLON = 58;
const EQUALS = 61;
const NO_TAG = -1;
const interesting = new Uint8Array(128);
for (const character of ':=%&\\,-<>') interesting[character.charCodeAt(0)] = 1;

const ENCODED_SEPARATOR = /%(?:25){0,3}3[ad]|&#(?:61|58|x3[ad]);|\\{1,8}u003[ad]/iy;

interface Scan {
  readonly text: string;
  readonly mask: Mask;
  readonly pairs: NamedPairs;
  /** The position of the last `<` without a `>`. */
  tag: number;
}

export function maskKeyedValues(text: string, mask: Mask): void {
  const scan: Scan = { text, mask, pairs: new NamedPairs(text, mask), tag: NO_TAG };
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    at = code < 128 && interesting[code] === 1 ? Math.max(at + 1, visit(scan, at, code)) : at + 1;
  }
}

/** Handles the character at `at` and returns where to continue; the caller advances by at least one character. */
function visit(scan: Scan, at: number, code: number): number {
  switch (code) {
    case COLON:
      return afterColon(scan, at);
    case EQUALS:
      return afterEquals(scan, at);
    case 44: // ,
      return maskTuple(scan.text, at, scan.mask);
    case 45: // -
      return scan.text.charCodeAt(at - 1) === 60 ? afterArrow(scan, at) : maskFlag(scan.text, at, scan.mask);
    case 60: // <
      scan.tag = at;
      return at;
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
  if (next === 47 && text.charCodeAt(at + 2) === 47) return at;
  const end = next === EQUALS ? at + 2 : at + 1;
  const start = operatorStart(text, at, isBeforeColon);
  return afterSeparator(scan, { start, end, sign: ':', percentLevel: 0, quotedOnly: false });
}

const isBeforeColon = anyOf('*:');
const isBeforeEquals = anyOf('+-*%&|^?.:');
const isBeforeDash = anyOf('<');

/** The start of an operator that ends at `end`: `+=`, `??=`, `::=`, or Markdown's `**name**:`. */
function operatorStart(text: string, end: number, belongs: (code: number) => boolean): number {
  let at = end;
  while (end - at < 3 && belongs(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function afterEquals(scan: Scan, at: number): number {
  const { text } = scan;
  let end = at + 1;
  while (end - at < 3 && (text.charCodeAt(end) === EQUALS || text.charCodeAt(end) === 62)) end += 1;
  const start = operatorStart(text, at, isBeforeEquals);
  return afterSeparator(scan, { start, end, sign: '=', percentLevel: 0, quotedOnly: end > at + 1 });
}

/** R assigns with `<-`. */
function afterArrow(scan: Scan, at: number): number {
  const start = operatorStart(scan.text, at, isBeforeDash);
  return afterSeparator(scan, { start, end: at + 1, sign: '=', percentLevel: 0, quotedOnly: true });
}

function afterEncoded(scan: Scan, at: number): number {
  // Only `%2…`, `%3…`, `&#…` and `\u…` can escape a separator.
  if (!'23#u\\'.includes(scan.text.charAt(at + 1))) return at;
  ENCODED_SEPARATOR.lastIndex = at;
  const found = ENCODED_SEPARATOR.exec(scan.text)?.[0];
  if (found === undefined) return skipRun(scan.text, at + 1, (code) => code === BACKSLASH);
  const percentLevel = found.startsWith('%') ? found.length >> 1 : 0;
  const sign = /a|58/i.test(found) ? ':' : '=';
  return afterSeparator(scan, { start: at, end: at + found.length, sign, percentLevel, quotedOnly: false });
}

function afterSeparator(scan: Scan, separator: Separator): number {
  const { text, mask } = scan;
  const found = keyBefore(text, separator.start);
  if (found === undefined || isUserinfo(text, found) || isResourceName(text, found)) return separator.end;
  const site = inForm({ text, mask, key: found, separator });
  return scan.pairs.visit(site) ?? (site.key.kind === 'plain' ? separator.end : maskValue(site));
}

function inForm(site: ValueSite): ValueSite {
  const { text, separator } = site;
  if (separator.sign !== '=' || separator.quotedOnly) return site;
  const key = keyInForm(text, site.key);
  if (key === site.key) return site;
  // A form has no blanks before its `=`; `tokens[i] = next` is code.
  const quotedOnly = isBlank(text.charCodeAt(separator.start - 1));
  return { ...site, key, separator: { ...separator, quotedOnly } };
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

const ELEMENT = /(?:[\w.-]{1,64}:)?[\w.-]{1,64}/y;
const CDATA = /\s{0,64}<!\[CDATA\[/y;

/** `<p>`, `<code>` and `<key>` are elements of every page. */
const namesElement = (kind: KeyKind): boolean => isSecretKind(kind) || kind === 'auth' || kind === 'opaque';

/** `<password>value</password>`, with or without a prefix and attributes. */
function afterTag(scan: Scan, at: number): number {
  const { text, mask, tag } = scan;
  scan.tag = NO_TAG;
  if (tag === NO_TAG || text.charCodeAt(at - 1) === 47) return at;
  ELEMENT.lastIndex = tag + 1;
  const name = ELEMENT.exec(text)?.[0];
  if (name === undefined) return at;
  const key = keyBefore(text, tag + 1 + name.length);
  if (key === undefined || !namesElement(key.kind)) return at;
  CDATA.lastIndex = at + 1;
  const start = CDATA.test(text) ? CDATA.lastIndex : at + 1;
  const close = text.indexOf(start > at + 1 ? ']]>' : '<', start);
  const end = close < 0 ? text.length : close;
  // `Promise<Token>` is a type.
  if (isWord(text.charCodeAt(tag - 1)) && !text.startsWith('</', close)) return at;
  const value = text.slice(start, end).trim();
  if (value !== '' && isSecretFor(key, value)) mask.add(start, end);
  return end;
}
