/**
 * Masks the value after a separator if it is a secret. Handles every form: quoted, a nested object or list, a YAML
 * block, the syntax of certain headers, or bare.
 */
import { afterScheme, maskAuthorization } from './authorization-value.js';
import { type BareSetting, bareEnd, restOfLine, startsLine } from './bare-value.js';
import { isBlank, isLineEnd, isSpace, skipBlanks, skipRun, startsPair } from './char-classes.js';
import { isSecretKind } from './classify-key.js';
import { restOfSegment, restOfString } from './connection-string.js';
import { maskCookies } from './cookie-value.js';
import { isHarmlessLiteral, isHarmlessWord, isNumber, isScheme, looksOpaque } from './harmless-values.js';
import type { KeyBefore } from './key-before.js';
import { MASK, type Mask } from './mask.js';
import { maskLeaves } from './nested-leaves.js';
import { pastPrefix, type QuotedValue, quoteAt, quotedValue } from './quotes.js';
import { lineWithoutValue, maskBlock, maskItems, scalarBelow } from './yaml-lines.js';

export interface Separator {
  readonly start: number;
  readonly end: number;
  readonly sign: ':' | '=';
  /** 1 for `%3D`, 2 for `%253D`; 0 if not percent-encoded. */
  readonly percentLevel: number;
  /** `==` and `=>` also occur in code, where only a quoted value counts. */
  readonly quotedOnly: boolean;
}

export interface ValueSite {
  readonly text: string;
  readonly mask: Mask;
  readonly key: KeyBefore;
  readonly separator: Separator;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Hides the value if it is a secret; returns where the scan continues. */
export function maskValue(site: ValueSite): number {
  if (!appliesHere(site)) return site.separator.end;
  const start = valueStart(site);
  maskDeclared(site, start);
  const line = lineWithoutValue(site, start);
  return line ? maskBelow(site, start, line) : maskAt(site, start);
}

/** Masks a YAML value below its key. Outside of YAML, the rest of the key's line may be the value, so it is masked too. */
function maskBelow(
  site: ValueSite,
  start: number,
  { end, isBlock }: { readonly end: number; readonly isBlock: boolean },
): number {
  const { text, key } = site;
  if (isBlock && isSecretKind(key.kind)) return maskBlock(site, end);
  maskAt(site, start);
  const below = scalarBelow(text, key.start, end);
  return below > end ? maskAt(site, below) : maskItems(site, end);
}

function maskAt(site: ValueSite, start: number): number {
  const { text, mask, key, separator } = site;
  const quote = quoteAt(text, start);
  if (quote !== undefined) return maskQuoted(site, quotedValue(text, start, quote));
  if (separator.quotedOnly) return separator.end;
  const opener = text.charAt(start);
  if (opensNested(site, start)) {
    // An object under `auth` is judged by its own keys; a list has none.
    const hidden = isSecretKind(key.kind) || (key.kind === 'auth' && opener === '[');
    if (!hidden) return separator.end;
    return maskLeaves(text, start, { mask, quote: quoteLiteral(site), keepsNumbers: key.kind === 'counted' });
  }
  return maskUnquoted(site, start);
}

function maskQuoted({ text, mask, key, separator }: ValueSite, value: QuotedValue): number {
  const content = text.slice(value.start, value.end);
  if (isHarmlessLiteral(content)) return value.next;
  if (!isSecretFor(key, content)) return separator.end;
  mask.add(value.start, value.end);
  return value.next;
}

/** Whether an object or a list starts here, rather than a value that is already masked. */
function opensNested({ text, separator }: ValueSite, start: number): boolean {
  const opener = text.charAt(start);
  return (opener === '{' || opener === '[') && separator.sign === ':' && !text.startsWith(MASK, start);
}

/** `**Password:** …` in Markdown. */
const EMPHASIS_END = /\*{1,3}[ \t]{1,8}/y;

function valueStart({ text, key, separator }: ValueSite): number {
  // After a bare key the next line is another pair, unless it looks like a YAML value. A list is one in any case.
  const below = skipRun(text, separator.end, isSpace);
  const isOnLine = key.quote === undefined || text.startsWith('- ', below);
  const next = isOnLine ? skipRun(text, separator.end, isBlank) : below;
  const isBelow = isLineEnd(text.charCodeAt(next)) && separator.sign === ':' && startsLine(text, key.start);
  const at = isBelow ? scalarBelow(text, key.start, next) : next;
  EMPHASIS_END.lastIndex = at;
  return pastPrefix(text, EMPHASIS_END.test(text) ? EMPHASIS_END.lastIndex : at);
}

const TYPE = /[&*]{0,2}(?:'\w{1,16} )?(?:[A-Za-z_$][\w.$:]{0,60})?(?:[<[][^=;{}()"\n]{0,60}[>\]])?[?!*]?/y;
const TYPES_MAX = 16;

/** Masks the value of `const password: string | undefined = "…"`, which does not directly follow the colon. */
function maskDeclared(site: ValueSite, start: number): void {
  const { text, mask, separator } = site;
  if (separator.sign !== ':' || !mask.mentions('=')) return;
  let at = start;
  for (let count = 0; count < TYPES_MAX; count += 1) {
    TYPE.lastIndex = at;
    TYPE.test(text);
    at = skipBlanks(text, TYPE.lastIndex);
    if (text.charAt(at) !== '|') break;
    at = skipBlanks(text, at + 1);
  }
  // Without a blank before `=`, it is all one bare value.
  if (text.charAt(at) !== '=' || !isBlank(text.charCodeAt(at - 1))) return;
  const open = pastPrefix(text, skipBlanks(text, at + 1));
  const quote = quoteAt(text, open);
  if (quote !== undefined) maskQuoted(site, quotedValue(text, open, quote));
}

const quoteLiteral = ({ key }: ValueSite): string => key.quote?.literal ?? '';

/** Whether the name can mean a credential in this context, before the value is checked. */
function appliesHere({ mask, key, separator }: ValueSite): boolean {
  const inQuery = key.inQuery && separator.sign === '=';
  if (key.kind === 'key') return inQuery;
  if (key.kind === 'code') return inQuery || mask.mentions('grant_type');
  return key.kind !== 'jwk' || mask.mentions('kty');
}

/** Whether this value is a secret under this name, in a context where the name means a credential. */
export function isSecretFor(key: KeyBefore, value: string): boolean {
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
      return !isWorkingDirectory(key.name, value);
  }
}

/** PWD is a directory in an environment and a password in a connection string. */
const isWorkingDirectory = (name: string, value: string): boolean =>
  name === 'PWD' && /^(?:[/~]|[A-Z]:\\)/.test(value);

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
  // `password= next=1`: the value is empty, and the next pair is not the value.
  if (separator.sign === '=' && start > separator.end && startsPair(text, start)) return separator.end;
  const from = afterScheme(text, start, false);
  const run = runEnd(text, from, setting);
  // `token=off` is an assignment; `token: off` may be a sentence.
  const isHarmless = separator.sign === '=' && start === separator.end ? isHarmlessLiteral : isHarmlessWord;
  if (isHarmless(text.slice(from, run))) return separator.end;
  const end = unquotedEnd(site, { from, run }, setting);
  const value = text.slice(from, end);
  if (from === start && !isSecretFor(key, value)) return separator.end;
  mask.add(from, end, isNumber(value) ? quoteLiteral(site) + MASK + quoteLiteral(site) : MASK);
  return end;
}

const BRACED = /\{[^}]{0,198}\}/y;

/** The end of the first word. ODBC puts a password with a `;` in braces. */
function runEnd(text: string, from: number, setting: BareSetting): number {
  BRACED.lastIndex = from;
  return bareEnd(text, BRACED.test(text) ? BRACED.lastIndex : from, setting);
}

/** The end of a value that may contain spaces; `run` is where its first word ends. */
function unquotedEnd(
  site: ValueSite,
  { from, run }: { from: number; run: number },
  setting: BareSetting,
): number {
  const { text, mask, key, separator } = site;
  const whole = restOfString(text, from, run);
  if (whole > run) return whole;
  if (separator.sign === '=') return restOfSegment(text, key.start, run);
  if (key.opened !== undefined) {
    const value = quotedValue(text, key.start - key.opened.literal.length, key.opened);
    if (!text.slice(from, value.end).includes('\n')) return value.end;
  }
  // The first word of `password: !!str value` is a tag of YAML.
  const hasMore = mask.mentions('\n') || '!&'.includes(text.charAt(from));
  return setting.ownLine && hasMore ? restOfLine(text, run) : run;
}
