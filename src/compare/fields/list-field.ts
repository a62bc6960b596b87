/**
 * Parses fields defined as comma-separated lists (RFC 9110 §5.6.1). Members are separated by commas outside quoted
 * strings, over any number of lines, so splitting or joining lines changes nothing. Empty members are ignored.
 */
import { sortedSet } from './code-unit-order.js';

export function listMembers(lines: readonly string[]): string[] {
  if (lines.length === 1) return splitOutsideQuotes(lines[0] ?? '', ',');
  return lines.flatMap((line) => splitOutsideQuotes(line, ','));
}

/** Splits `text` at separators outside double quotes; parts are trimmed, empty ones dropped. */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) {
    return text.includes(separator) ? trimNonEmpty(text.split(separator)) : trimNonEmpty([text]);
  }
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return trimNonEmpty(parts);
}

function trimNonEmpty(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts) {
    const trimmed = part.trim();
    if (trimmed !== '') kept.push(trimmed);
  }
  return kept;
}

/** Members as a set of lower-case tokens, in code-unit order. */
export function tokenSet(lines: readonly string[]): string[] {
  return sortedSet(listMembers(lines).map((member) => member.toLowerCase()));
}

/** A token or quoted string as its text: quotes and escapes removed. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}
