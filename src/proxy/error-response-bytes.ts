/** An error as the body of its first response, to be returned again under the same key. */
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
