/**
 * Makes text storable in every database. PostgreSQL accepts neither NUL nor an unpaired surrogate, and a SQLite driver
 * truncates text at NUL. External data does contain them. They become U+FFFD, as invalid bytes do when decoded.
 */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return SUSPECT.test(text) ? (JSON.stringify(storable(value)) ?? 'null') : text;
}

export function storableText(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storableText(key), storable(member)]),
  );
}
