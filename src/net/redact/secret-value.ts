/**
 * Hides the one value behind a separator, in whichever form it stands: quoted, a nested object or list,
 * a YAML block, a header's own syntax, or bare. Decides too whether the value is a secret at all.
 */
import { afterScheme, maskAuthorization } from './authorization-value.js';
import { type BareSetting, bareEnd, restOfLine, restOfSegment, startsLine } from './bare-value.js';
import { isBlank, isLineEnd, isSpace, lineEnd, startsPair } from './char-classes.js';
import type { KeyKind } from './classify-key.js';
import { maskCookies } from './cookie-value.js';
import { isHarmlessLiteral, isHarmlessWord, isNumber, isScheme, looksOpaque } from './harmless-values.js';
import type { KeyBefore } from './key-before.js';
import { MASK, type Mask } from './mask.js';
import { maskLeaves } from './nested-leaves.js';
import { quoteAt, quotedValue } from './quotes.js';

export interface Separator {
  readonly start: number;
  readonly end: number;
  readonly sign: ':' | '=';
  /** 1 for `%3D`, 2 for `%253D`; 0 when not percent-encoded. */
  readonly percentLevel: number;
  /** `==` and `=>` stand in code too, where only a quoted value is one. */
  readonly quotedOnly: boolean;
}

export interface ValueSite {
  readonly text: string;
  readonly mask: Mask;
  readonly key: KeyBefore;
  readonly separator: Separator;
}

const BLOCK_SCALAR = /[|>][+-]?\d?[+-]?[ \t]{0,8}\r?\n/y;
const STRING_PREFIXES = 'bBuUrRfFL$@';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Hides the value if it is a secret; returns where the scan continues. */
export function maskValue(site: ValueSite): number {
  const { text, mask, key, separator } = site;
  if (!appliesHere(site)) return separator.end;
  const start = valueStart(site);
  if (start >= text.length) return separator.end;
  const quote = quoteAt(text, start);
  if (quote !== undefined) {
    const value = quotedValue(text, start, quote);
    const content = text.slice(value.start, value.end);
    if (isHarmlessLiteral(content)) return value.next;
    if (!isSecret(site, content)) return separator.end;
    mask.add(value.start, value.end);
    return value.next;
  }
  if (separator.quotedOnly) return separator.end;
  const opener = text.charAt(start);
  if (opensNested(site, start)) {
    // An object under `auth` has names of its own, a list has not.
    const hidden = alwaysSecret(key.kind) || (key.kind === 'auth' && opener === '[');
    if (!hidden) return separator.end;
    return maskLeaves(text, start, { mask, quote: quoteLiteral(site), keepsNumbers: key.kind === 'counted' });
  }
  if ((opener === '|' || opener === '>') && alwaysSecret(key.kind)) {
    BLOCK_SCALAR.lastIndex = start;
    if (BLOCK_SCALAR.test(text)) return maskBlock(site, BLOCK_SCALAR.lastIndex);
  }
  return maskUnquoted(site, start);
}

/** Whether an object or a list starts here, rather than a value that is already masked. */
function opensNested({ text, separator }: ValueSite, start: number): boolean {
  const opener = text.charAt(start);
  return (opener === '{' || opener === '[') && separator.sign === ':' && !text.startsWith(MASK, start);
}

function valueStart({ text, key, separator }: ValueSite): number {
  // Only a quoted key may have its value on the next line: after a bare one that line is another pair.
  const skips = key.quote === undefined ? isBlank : isSpace;
  let at = separator.end;
  while (at - separator.end < 64 && skips(text.charCodeAt(at))) at += 1;
  const next = text.charCodeAt(at + 1);
  // Python's b'…', C's L"…", the shell's $'…'.
  return (next === 34 || next === 39) && STRING_PREFIXES.includes(text.charAt(at)) ? at + 1 : at;
}

const quoteLiteral = ({ key }: ValueSite): string => key.quote?.literal ?? '';

const alwaysSecret = (kind: KeyKind): boolean =>
  kind === 'secret' || kind === 'authorization' || kind === 'cookie' || kind === 'counted';

/** Whether the name means a credential in this setting at all, before the value is checked. */
function appliesHere({ mask, key, separator }: ValueSite): boolean {
  const inQuery = key.inQuery && separator.sign === '=';
  if (key.kind === 'key') return inQuery;
  if (key.kind === 'code') return inQuery || mask.mentions('grant_type');
  return key.kind !== 'jwk' || mask.mentions('kty');
}

function isSecret({ key }: ValueSite, value: string): boolean {
  switch (key.kind) {
    case 'counted':
      return !isNumber(value);
    case 'auth':
      return !isScheme(value);
    case 'opaque':
    case 'code':
      return looksOpaque(value);
    case 'key':
      return value.length >= 16 && looksOpaque(value) && !/[./]/.test(value) && !UUID.test(value);
    case 'jwk':
      return value.length >= 20 && /^[\w-]+$/.test(value);
    default:
      return key.kind !== 'plain' && !isWorkingDirectory(key.name, value);
  }
}

/** PWD names a directory in an environment and a password in a connection string. */
const isWorkingDirectory = (name: string, value: string): boolean =>
  (name === 'PWD' || name === 'OLDPWD') && /^(?:[/~]|[A-Z]:\\)/.test(value);

function maskUnquoted(site: ValueSite, start: number): number {
  const { text, mask, key, separator } = site;
  const ownLine = key.quote === undefined && startsLine(text, key.start);
  const setting: BareSetting & { mask: Mask } = {
    mask,
    inQuery: key.inQuery && separator.sign === '=' && key.start > 0,
    percentLevel: separator.percentLevel,
    ownLine,
    isHeader: ownLine && separator.sign === ':',
  };
  const closing = key.opened?.literal ?? '';
  if (key.kind === 'cookie' && separator.sign === ':')
    return maskCookies(text, start, { mask, closing, ownLine });
  if (key.kind === 'authorization') return maskAuthorization(text, start, setting);
  // `password= next=1`: nothing was given, and the next pair is not the value.
  if (separator.sign === '=' && start > separator.end && startsPair(text, start)) return separator.end;
  const from = afterScheme(text, start, false);
  const run = runEnd(text, from, setting);
  // `token=off` is an assignment; `token: off` may be a sentence.
  const isHarmless = separator.sign === '=' && start === separator.end ? isHarmlessLiteral : isHarmlessWord;
  if (isHarmless(text.slice(from, run))) return separator.end;
  const end = unquotedEnd(site, { from, run }, setting);
  const value = text.slice(from, end);
  if (from === start && !isSecret(site, value)) return separator.end;
  mask.add(from, end, isNumber(value) ? quoteLiteral(site) + MASK + quoteLiteral(site) : MASK);
  return end;
}

/** ODBC puts a password with a `;` in braces. */
function runEnd(text: string, from: number, setting: BareSetting): number {
  const braced = text.charCodeAt(from) === 123 ? text.slice(from, from + 200).indexOf('}') : -1;
  return bareEnd(text, braced > 0 ? from + braced + 1 : from, setting);
}

/** The end of a value that may contain spaces; `run` is where its first word ends. */
function unquotedEnd(
  site: ValueSite,
  { from, run }: { from: number; run: number },
  setting: BareSetting,
): number {
  const { text, mask, key, separator } = site;
  if (separator.sign === '=') return text.charAt(key.start - 1) === ';' ? restOfSegment(text, run) : run;
  if (key.opened !== undefined) {
    const value = quotedValue(text, key.start - key.opened.literal.length, key.opened);
    const closed = value.next > value.end && value.end > from;
    if (closed && !text.slice(from, value.end).includes('\n')) return value.end;
  }
  return setting.ownLine && mask.mentions('\n') ? restOfLine(text, run) : run;
}

/** The lines of a YAML block scalar: all that follow and are indented deeper than their key. */
function maskBlock({ text, mask, key }: ValueSite, from: number): number {
  const lineStart = Math.max(text.lastIndexOf('\n', key.start - 1) + 1, key.start - 200);
  const indent = text.slice(lineStart, key.start).search(/[^ ]|$/);
  let end = from;
  let first = from;
  for (let at = from; at < text.length; ) {
    const stop = lineEnd(text, at);
    const depth = text.slice(at, Math.min(stop, at + 400)).search(/[^ ]/);
    if (depth >= 0 && depth <= indent) break;
    if (depth > indent) {
      if (end === from) first = at + depth;
      end = stop;
    }
    at = stop + 1;
    if (isLineEnd(text.charCodeAt(at)) && text.charCodeAt(stop) === 13) at += 1;
  }
  mask.add(first, end);
  return Math.max(end, from);
}
