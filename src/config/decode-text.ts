/**
 * The text of a flag or variable as the value that a configuration file would hold, so that one schema
 * judges all sources. Decides nothing: what cannot be decoded stays text, and the schema refuses it.
 */
import type { SettingRow } from './setting-rows.js';

const entries = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** `name=address:port`; a repeated name is left to the last, like a repeated flag. */
function pairs(list: readonly string[]): unknown {
  const cut = list.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
  return list.every((entry) => entry.includes('=')) ? Object.fromEntries(cut) : list;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which holds secrets: the row's form is enough.
    return text;
  }
}

/** `given` is a list when a flag was repeated. */
export function decodeText(row: SettingRow, given: string | readonly string[]): unknown {
  const parts = typeof given === 'string' ? [given] : given;
  const last = parts.at(-1) ?? '';
  switch (row.takes) {
    case 'list':
      return parts.flatMap(entries);
    case 'map':
      return pairs(parts.flatMap(entries));
    case 'json':
      return json(last);
    case 'number':
      return /^\d{1,15}$/.test(last) ? Number(last) : last;
    case 'text':
      return last;
  }
}
