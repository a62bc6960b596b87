/** Serializes an error response, so that it can be stored and replayed under the same key. */
import type { SondeError } from '../errors.js';

export function errorResponseBytes(
  { code, message, details }: SondeError,
  headers: Readonly<Record<string, string>>,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } {
  return {
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify({ error: { code, message, ...details } })),
  };
}
