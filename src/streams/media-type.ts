/** Content types as streams compare them: without parameters' noise, in lower case. */
const DEFAULT_TYPE = 'application/octet-stream';

/** The essence decides; parameters such as a charset do not. */
export function essenceOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

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
