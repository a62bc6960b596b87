/**
 * Decodes the text of a flag or variable into the value that a configuration file would contain, so that one schema
 * checks all sources. Text that cannot be decoded is returned unchanged, and the schema refuses it.
 */
import type { SettingRow } from './setting-rows.js';

const splitEntries = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Entries `name=address:port`; the last entry of a repeated name wins, as with a repeated flag. */
function parsePairs(list: readonly string[]): unknown {
  const cut = list.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
  return list.every((entry) => entry.includes('=')) ? Object.fromEntries(cut) : list;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text, which may contain secrets; the row's form is enough.
    return text;
  }
}

/** `given` is a list if a flag was repeated. */
export function decodeText({ takes }: Pick<SettingRow, 'takes'>, given: string | readonly string[]): unknown {
  const parts = typeof given === 'string' ? [given] : given;
  const last = parts.at(-1) ?? '';
  switch (takes) {
    case 'list':
      return parts.flatMap(splitEntries);
    case 'map':
      return parsePairs(parts.flatMap(splitEntries));
    case 'json':
      return tryJson(last);
    case 'number':
      return /^\d{1,15}$/.test(last) ? Number(last) : last;
    case 'text':
      return last;
  }
}
