/** Reads the name and flags of a `Set-Cookie` header; the value is dropped here. */
import type { CookieFacts } from '../facts/fetch-facts.js';

const NAME_MAX = 100;

export function cookieFacts(header: string): CookieFacts {
  const [pair = '', ...parts] = header.split(';');
  const attributes = new Map<string, string>();
  for (const part of parts) {
    const [name = '', ...value] = part.split('=');
    attributes.set(name.trim().toLowerCase(), value.join('=').trim());
  }
  const equals = pair.indexOf('=');
  const sameSite = attributes.get('samesite')?.toLowerCase() ?? '';
  return {
    name: (equals < 0 ? '' : pair.slice(0, equals)).trim().slice(0, NAME_MAX),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    sameSite: /^(?:strict|lax|none)$/.test(sameSite) ? sameSite : null,
    path: attributes.get('path')?.slice(0, NAME_MAX) ?? null,
    domain: attributes.get('domain')?.slice(0, NAME_MAX) ?? null,
    persistent: attributes.has('expires') || attributes.has('max-age'),
  };
}
