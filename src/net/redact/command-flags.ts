/**
 * Masks credentials on a command line: `--password x`, `-ApiKey x`, and curl's `-u user:password`. The form with `=`
 * is a keyed value like any other, except `--user=`, which is not the name of a credential.
 */
import { bareEnd } from './bare-value.js';
import { isBlank, isSpace, isWord, skipBlanks } from './char-classes.js';
import { isSecretKey } from './classify-key.js';
import { isHarmlessWord } from './harmless-values.js';
import type { Mask } from './mask.js';
import { quoteAt, quotedValue } from './quotes.js';

const USER_FLAGS: ReadonlySet<string> = new Set(['-u', '-U', '--user', '--proxy-user']);
// Only a space ends an argument.
const SETTING = { inQuery: false, percentLevel: 0, ownLine: false, isHeader: true };

export function maskFlag(text: string, at: number, mask: Mask): number {
  const before = text.charCodeAt(at - 1);
  if (!isSpace(before) && !'"\'`([,'.includes(text.charAt(at - 1))) return at;
  let end = at;
  while (end - at < 64 && isWord(text.charCodeAt(end))) end += 1;
  const flag = text.slice(at, end);
  const code = text.charCodeAt(end);
  if (USER_FLAGS.has(flag)) return maskUser(text, end, mask);
  if (flag.startsWith('-u') && code === 58 && mask.mentions('curl ')) return maskUser(text, at + 2, mask);
  if (!isBlank(code) || !isSecretKey(flag)) return end;
  const start = skipBlanks(text, end);
  const value = argument(text, start);
  const content = text.slice(value.start, value.end);
  if (content.startsWith('-') || isHarmlessWord(content)) return end;
  mask.add(value.start, value.end);
  return value.next;
}

function maskUser(text: string, end: number, mask: Mask): number {
  const start = text.charAt(end) === '=' ? end + 1 : skipBlanks(text, end);
  const value = argument(text, start);
  const content = text.slice(value.start, value.end);
  const colon = content.indexOf(':');
  // `-u 1000:1000` is a user and a group.
  if (colon < 0 || colon === content.length - 1 || /^\d*:\d+$/.test(content)) return end;
  mask.add(value.start, value.end);
  return value.next;
}

function argument(text: string, start: number): { start: number; end: number; next: number } {
  const quote = quoteAt(text, start);
  if (quote !== undefined) return quotedValue(text, start, quote);
  const end = bareEnd(text, start, SETTING);
  return { start, end, next: end };
}
