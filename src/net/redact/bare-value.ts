/**
 * Finds the end of a value without quotes. Secrets contain every kind of punctuation, so a comma, semicolon, bracket
 * or quote ends the value only if a space, the end of the text or the next pair follows.
 */
import { BACKSLASH, isBlank, isLineEnd, isSpace, lineEnd, startsPair } from './char-classes.js';
import { MASK } from './mask.js';

export interface BareSetting {
  /** Inside a query, where `&` and `#` always end a value. */
  readonly inQuery: boolean;
  /** How often the surrounding text is percent-encoded; 0 for plain text. */
  readonly percentLevel: number;
  /** The pair stands alone on its line, as in an environment or properties file. */
  readonly ownLine: boolean;
  /** The pair has a colon, as in a header or YAML, so not even `,name=` begins another pair. */
  readonly isHeader: boolean;
}

const STOP = -1;
const stoppers = new Uint8Array(128);
for (const character of '&;,|"\'`)]}><#\\%[') stoppers[character.charCodeAt(0)] = 1;

const ENTITY_STOP = /&(?:quot|apos|lt|gt|#34|#39|#x22|#x27|#60|#62|#10|#13|nbsp);/iy;
const AMPERSAND = /&(?:amp;|#38;|#x26;)*/iy;

export function bareEnd(text: string, start: number, setting: BareSetting): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) return at;
    if (code > 127 || stoppers[code] !== 1) {
      at += 1;
      continue;
    }
    const next = pastStopper(text, at, setting);
    if (next === STOP) return at;
    at = next;
  }
  return at;
}

/** Returns `STOP`, or where to continue because the character belongs to the value. */
function pastStopper(text: string, at: number, setting: BareSetting): number {
  switch (text.charAt(at)) {
    case '[':
      return text.startsWith(MASK, at) ? at + MASK.length : at + 1;
    case '&':
      return pastAmpersand(text, at, setting);
    case '\\':
      return pastBackslashes(text, at, setting);
    case '%':
      return endsEncodedQuery(text, at, setting.percentLevel) ? STOP : at + 1;
    case '#':
      return setting.inQuery ? STOP : at + 1;
    case '<':
      return !setting.ownLine && startsTag(text, at) ? STOP : at + 1;
    case ';':
    case ',':
    case '|':
      return endsItem(text, at, setting) ? STOP : at + 1;
    default:
      return !setting.ownLine && closes(text, at + 1) ? STOP : at + 1;
  }
}

/** Whether the end, a space or other punctuation follows, after any further closing quotes and brackets. */
export function closes(text: string, from: number): boolean {
  let at = from;
  while (at - from < 8 && '"\'`)]}>'.includes(text.charAt(at))) at += 1;
  // Behind the end, the character is empty, which every text includes.
  return isSpace(text.charCodeAt(at)) || ',;:<&\\|'.includes(text.charAt(at));
}

/** Whether a comma or semicolon is followed by the next list item and not by more of the value. */
function endsItem(text: string, at: number, { ownLine, isHeader }: BareSetting): boolean {
  const next = at + 1;
  if (isHeader) return isBlank(text.charCodeAt(next)) && startsPair(text, next);
  if (ownLine) return startsPair(text, next, '=');
  if (startsPair(text, next)) return true;
  return isSpace(text.charCodeAt(next)) || '"\'`{[\\'.includes(text.charAt(next));
}

const TAG = /<(?:\/|!--|[A-Za-z][\w-]{0,15}[\s/>])/y;

function startsTag(text: string, at: number): boolean {
  TAG.lastIndex = at;
  return TAG.test(text);
}

function pastAmpersand(text: string, at: number, setting: BareSetting): number {
  if (setting.inQuery) return STOP;
  ENTITY_STOP.lastIndex = at;
  if (ENTITY_STOP.test(text)) return STOP;
  AMPERSAND.lastIndex = at;
  AMPERSAND.test(text);
  const next = AMPERSAND.lastIndex;
  if (setting.isHeader) return next;
  return next >= text.length || isSpace(text.charCodeAt(next)) || startsPair(text, next) ? STOP : next;
}

const ESCAPED_STOP = /u00(?:26|22|27|3[ce])/iy;

/** Backslashes end a value before a quote, before an escaped `&` or `"`, and as an escaped line break. */
function pastBackslashes(text: string, at: number, { ownLine, isHeader }: BareSetting): number {
  let end = at;
  while (text.charCodeAt(end) === BACKSLASH) end += 1;
  const next = text.charAt(end);
  if (next === '"' || next === "'" || next === '`') return ownLine ? end : STOP;
  ESCAPED_STOP.lastIndex = end;
  if (ESCAPED_STOP.test(text)) return STOP;
  if (next === 'n' || next === 'r') {
    if (ownLine && isHeader) return endsEscapedLine(text, at) ? STOP : end;
    const follows = text.charAt(end + 1);
    if ('"\'\\ '.includes(follows) || startsPair(text, end + 1)) return STOP;
  }
  return end;
}

const ESCAPED_BREAKS = /(?:\\+[nr])+/y;
const HEADER = /[A-Za-z][\w-]{0,63}:[ \t]|[\r\n]|$/y;

/** After a value on a real line, `\\n` is a line break only if a whole header or nothing follows. */
function endsEscapedLine(text: string, at: number): boolean {
  ESCAPED_BREAKS.lastIndex = at;
  ESCAPED_BREAKS.test(text);
  HEADER.lastIndex = ESCAPED_BREAKS.lastIndex;
  return HEADER.test(text);
}

const ENCODED_STOP = /26|23|20|22|27|0a|0d|3b|7d/iy;

/** `%26` ends a value in a query percent-encoded once, `%2526` if twice; deeper escapes belong to the value. */
function endsEncodedQuery(text: string, at: number, level: number): boolean {
  if (level === 0) return false;
  let digits = at + 1;
  for (let depth = 1; depth < level && text.startsWith('25', digits); depth += 1) digits += 2;
  ENCODED_STOP.lastIndex = digits;
  return ENCODED_STOP.test(text);
}

const LINE_OPENING = /(?:^|[\r\n])[ \t]{0,40}(?:export|set|setx|ENV|ARG|-)$/;

/** Whether only indentation, `export` or a list dash precedes `start` on its line. */
export function startsLine(text: string, start: number): boolean {
  const word = skipBlanksBack(text, start);
  if (word === 0 || isLineEnd(text.charCodeAt(word - 1))) return true;
  if (start - word > 4 || !'tx-VG'.includes(text.charAt(word - 1))) return false;
  return LINE_OPENING.test(text.slice(Math.max(0, word - 48), word));
}

function skipBlanksBack(text: string, from: number): number {
  let at = from;
  while (from - at < 40 && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** The end of a value with spaces on its own line (YAML, a header): the end of the line, without a comment. */
export function restOfLine(text: string, end: number): number {
  if (!isBlank(text.charCodeAt(end))) return end;
  const stop = lineEnd(text, end);
  const rest = text.slice(end, stop);
  if (/[:=]/.test(rest)) return end;
  const comment = rest.search(/[ \t]#/);
  const kept = comment < 0 ? rest : rest.slice(0, comment);
  return end + kept.trimEnd().length;
}
