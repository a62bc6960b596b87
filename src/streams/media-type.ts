/** Content types as streams compare them: in lower case and without parameters. */
const DEFAULT_TYPE = 'application/octet-stream';

/** Two types are equal if their essences are; parameters such as a charset do not matter. */
export function essenceOf(contentType: string): string {
  const known = essences.get(contentType);
  if (known !== undefined) return known;
  const essence = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT)
    essences.set(contentType, essence);
  return essence;
}

/** A cache: every append needs several essences, nearly always of the same few types. */
const essences = new Map<string, string>();
const ESSENCES_KEPT = 100;
const TYPE_CHARS_KEPT = 200;

export function contentTypeOr(value: string | null): string {
  const text = value?.trim() ?? '';
  return text === '' ? DEFAULT_TYPE : text;
}

export function isJson(contentType: string): boolean {
  return essenceOf(contentType) === 'application/json';
}

/** Whether bytes of this type are sent as text in SSE; all others are sent as base64. */
export function isText(contentType: string): boolean {
  return essenceOf(contentType).startsWith('text/') || isJson(contentType);
}
