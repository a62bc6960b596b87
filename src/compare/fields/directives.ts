/**
 * Parses fields made of `name` or `name=value` directives, separated by commas (Cache-Control) or semicolons
 * (Strict-Transport-Security). Names are case-insensitive, order does not matter, the first of a repeated name counts,
 * and a quoted value equals the bare one.
 */
import { byCodeUnit } from './code-unit-order.js';
import { splitOutsideQuotes, unquote } from './list-field.js';

/** Lower-case name → value, or null if it has none. */
export type Directives = ReadonlyMap<string, string | null>;

export function parseDirectives(lines: readonly string[], separator: ',' | ';'): Directives {
  const directives = new Map<string, string | null>();
  for (const line of lines) {
    for (const part of splitOutsideQuotes(line, separator)) {
      const equals = part.indexOf('=');
      const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
      if (name === '' || directives.has(name)) continue;
      directives.set(name, equals < 0 ? null : unquote(part.slice(equals + 1).trim()));
    }
  }
  return directives;
}

export function directivesText(directives: Directives): string {
  return [...directives]
    .map(([name, value]) => (value === null ? name : `${name}=${value}`))
    .sort(byCodeUnit)
    .join(', ');
}

/** A delta-seconds value (RFC 9111 §1.2.2): larger values become 2^31, and anything but digits is undefined. */
export function seconds(directives: Directives, name: string): number | undefined {
  const value = directives.get(name);
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value), 2_147_483_648);
}
