/**
 * Detects a content hash that a bundler put into a file's name. A false positive would recommend a year of caching for
 * a file that may change, so words with a number (`formula1`), dates and counters do not count. Every character is read
 * once.
 */
const NAME_CHARS_MAX = 255;
const HASH_CHARS_MIN = 8;
const HASH_CHARS_MAX = 64;

type CharacterClass = 'digit' | 'upper' | 'lower';

export function hasContentHash(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? url;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || name.length > NAME_CHARS_MAX) return false;
  return name.slice(0, dot).split(/[._-]/).some(isHash);
}

function isHash(part: string): boolean {
  if (part.length < HASH_CHARS_MIN || part.length > HASH_CHARS_MAX) return false;
  const classes = [...part].map(classOf);
  if (classes.includes(null)) return false;
  const switches = classes.filter((each, at) => at > 0 && each !== classes[at - 1]).length;
  const has = (kind: CharacterClass) => classes.includes(kind);
  if (!has('digit')) return false;
  // Hex digits (`facade01` is a word), or an alphabet of 32 or 36 characters without lower case.
  if (/^[0-9a-f]+$/.test(part)) return has('lower') && switches >= (part.length < 12 ? 2 : 1);
  if (!has('lower')) return switches >= 3;
  // Base 62: a camel-case name with a number at the end has fewer changes of class.
  return has('upper') && switches >= part.length / 2 && !/^\D+\d+$/.test(part);
}

function classOf(character: string): CharacterClass | null {
  if (character >= '0' && character <= '9') return 'digit';
  if (character >= 'A' && character <= 'Z') return 'upper';
  return character >= 'a' && character <= 'z' ? 'lower' : null;
}
