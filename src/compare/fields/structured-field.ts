/**
 * Converts structured fields (RFC 9651) to one canonical text. A field that does not parse is undefined, and is
 * compared as plain text. Dictionary members are sorted by key, because their order has no meaning in any field we
 * read.
 */
import {
  type Dictionary,
  isInnerList,
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeItem,
  serializeList,
} from 'structured-headers';
import { byCodeUnit } from './code-unit-order.js';

export type StructuredKind = 'dictionary' | 'list' | 'item';

export function structuredText(lines: readonly string[], kind: StructuredKind): string | undefined {
  const text = lines.join(', ');
  try {
    if (kind === 'item') return serializeItem(parseItem(text));
    if (kind === 'list') return serializeList(parseList(text));
    return serializeDictionary(sorted(parseDictionary(text)));
  } catch {
    // The library throws on a malformed field; here that is an expected input.
    return undefined;
  }
}

/** Key → its members as text; undefined if the field does not parse. */
export function structuredDictionary(
  lines: readonly string[],
): ReadonlyMap<string, readonly string[]> | undefined {
  try {
    const members = new Map<string, readonly string[]>();
    for (const [key, value] of sorted(parseDictionary(lines.join(', ')))) {
      const items = isInnerList(value) ? value[0] : [value];
      members.set(key, items.map((item) => serializeItem(item)).sort(byCodeUnit));
    }
    return members;
  } catch {
    return undefined;
  }
}

function sorted(dictionary: Dictionary): Dictionary {
  return new Map([...dictionary].sort(([a], [b]) => byCodeUnit(a, b)));
}
