/**
 * Passwords with spaces inside a connection string: `Server=h;Password=my pass word;Encrypt=true`. More of a sentence
 * may follow the last value, so that value extends to the end of its line or quotation only if the whole line or
 * quotation is the connection string.
 */
import { closes } from './bare-value.js';
import { BACKSLASH, isBlank, isLineEnd, skipBlanks, startsPair } from './char-classes.js';

const VALUE_MAX = 200;
const PREFIX_MAX = 400;

/** The start of a connection string, after the name of the setting that holds it. */
const OPENING =
  /^[ \t]{0,40}(?:[\w.:-]{0,40}(?:conn|dsn|database)[\w.:-]{0,40}[ \t]{0,4}[:=][ \t]{0,4})?(?:jdbc:|(?:server|data source|host|hostname|driver|provider|endpoint|addr|address|network address|initial catalog|database|db|dsn|dbq|port|user|user id|username|uid)[ \t]{0,4}=)/i;

/** The end of the value under the key at `keyStart`; `end` is where its first word ends. */
export function restOfSegment(text: string, keyStart: number, end: number): number {
  if (!isBlank(text.charCodeAt(end)) || !';"\'\r\n'.includes(text.charAt(keyStart - 1))) return end;
  const limit = Math.min(text.length, end + VALUE_MAX);
  let at = end;
  while (at < limit && !endsSegment(text, at)) at += 1;
  if (at === end + VALUE_MAX || text.charAt(at) === '=') return end;
  if (text.charAt(at) === ';' && startsPair(text, skipBlanks(text, at + 1))) return at;
  return !opensString(text, keyStart) ? end : end + text.slice(end, at).trimEnd().length;
}

/** The end of a whole connection string under a credential's name; `end` is where its first word ends. */
export function restOfString(text: string, start: number, end: number): number {
  if (!isBlank(text.charCodeAt(end)) || !OPENING.test(text.slice(start, start + PREFIX_MAX))) return end;
  let at = end;
  while (at < text.length && !endsString(text, at)) at += 1;
  return end + text.slice(end, at).trimEnd().length;
}

function endsSegment(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 59 || code === 61 || endsString(text, at);
}

const ESCAPED_END = /\\{1,32}["'nr]/y;

function endsString(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isLineEnd(code)) return true;
  if (code === BACKSLASH) {
    ESCAPED_END.lastIndex = at;
    return ESCAPED_END.test(text);
  }
  return (code === 34 || code === 39) && closes(text, at);
}

function opensString(text: string, keyStart: number): boolean {
  let start = keyStart;
  while (keyStart - start < PREFIX_MAX && !'"\'\r\n'.includes(text.charAt(start - 1))) start -= 1;
  return OPENING.test(text.slice(start, keyStart));
}
