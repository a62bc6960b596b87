/** Content types as streams compare them: without parameters' noise, in lower case. */
const DEFAULT_TYPE = 'application/octet-stream';

/** The essence decides; parameters such as a charset do not. */
export function essenceOf(contentType: string): string {
  const known = essences.get(contentType);
  if (known !== undefined) return known;
  const essence = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT)
    essences.set(contentType, essence);
  return essence;
}

/** Asked several times an append, nearly always of the same few types. */
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

/** Text goes into SSE as it is; anything else as base64. */
export function isText(contentType: string): boolean {
  return essenceOf(contentType).startsWith('text/') || isJson(contentType);
}
