/**
 * Masks the values of a Cookie or Set-Cookie line. Cookie names stay, and so do the harmless attributes of Set-Cookie
 * (Path, HttpOnly, …), each only in its strict form. Every other value is hidden.
 */
import { closes } from './bare-value.js';
import { BACKSLASH, isLineEnd, lineEnd } from './char-classes.js';
import type { Mask } from './mask.js';

const ATTRIBUTE =
  /^(?:secure|httponly|partitioned|path=\/[\w/.~-]{0,80}|domain=[\w.-]{1,80}|max-age=-?\d{1,12}|samesite=(?:lax|strict|none)|expires=[A-Za-z]{3,9}, ?\d\d[ -][A-Za-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d (?:GMT|UTC)|priority=(?:low|medium|high))$/i;

interface CookieSetting {
  readonly mask: Mask;
  /** The quote that opened just before the header's name, or an empty string. */
  readonly closing: string;
  /** The header starts its line, so it is not inside a quotation. */
  readonly ownLine: boolean;
}

/** Hides the cookies from `start` to the end of their line, of the string around them, or of the text. */
export function maskCookies(text: string, start: number, setting: CookieSetting): number {
  const end = setting.ownLine ? lineEnd(text, start) : cookiesEnd(text, start, setting.closing);
  const cookies = text.slice(start, end);
  let first = true;
  for (let at = start; at < end; ) {
    const semicolon = cookies.indexOf(';', at - start);
    const stop = semicolon < 0 ? end : start + semicolon;
    maskSegment(text, { start: at, end: stop, first }, setting.mask);
    first = false;
    at = stop + 1;
  }
  return end;
}

function maskSegment(
  text: string,
  segment: { start: number; end: number; first: boolean },
  mask: Mask,
): void {
  const raw = text.slice(segment.start, segment.end);
  const trimmed = raw.trim();
  if (!segment.first && ATTRIBUTE.test(trimmed)) return;
  const from = segment.start + raw.indexOf(trimmed);
  const equals = trimmed.indexOf('=');
  mask.add(from + equals + 1, from + trimmed.length);
}

function cookiesEnd(text: string, start: number, closing: string): number {
  let quoted = false;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isLineEnd(code) || (closing !== '' && text.startsWith(closing, at))) return at;
    if (code === BACKSLASH && /^\\{1,32}[rn"]/.test(text.slice(at, at + 33))) return at;
    if (code !== 34) continue;
    // A double quote belongs to a cookie only around a whole value: `a="b c"; d=e`.
    if (!quoted && text.charAt(at - 1) !== '=') {
      if (closes(text, at + 1)) return at;
    } else {
      quoted = !quoted;
    }
  }
  return at;
}
