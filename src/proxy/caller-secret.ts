/**
 * Where SDKs put their API key. On a route with a key of this server that place holds the caller's Sonde credential:
 * it is read there and replaced by the upstream's key. No other place may carry the credential to the upstream either.
 */
import type { HeaderPair } from '../net/index.js';
import { KEY_HEADERS, type KeyHeader } from '../route-claims.js';
import type { InlineRoute } from './inline-routes.js';

interface KeyPlace {
  read(value: string | null): string | undefined;
  write(key: string): string;
}

const PLAIN: KeyPlace = { read: (value) => value?.trim() || undefined, write: (key) => key };

const KEY_PLACES: Readonly<Record<KeyHeader, KeyPlace>> = {
  // Anthropic.
  'x-api-key': PLAIN,
  // Google.
  'x-goog-api-key': PLAIN,
  // Azure.
  'api-key': PLAIN,
  // OpenAI and most others.
  authorization: { read: bearerOf, write: (key) => `Bearer ${key}` },
};

/** The parameter in which Google's SDKs may send the key instead; the upstream's key then goes into their header. */
const KEY_PARAMETER = 'key';
const HEADER_OF_PARAMETER: KeyHeader = 'x-goog-api-key';

/** How a credential is sent to such a route. */
export const KEY_FORM = `as the API key of the SDK: "Authorization: Bearer …", ${KEY_HEADERS.filter((name) => name !== 'authorization').join(', ')} or ?${KEY_PARAMETER}=`;

export interface CallerSecret {
  readonly value: string;
  readonly place: KeyHeader | 'query';
}

export function bearerOf(header: string | null): string | undefined {
  return /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trim();
}

interface Carrier {
  header(name: string): string | null;
  /** Without its question mark. */
  readonly query: string;
}

/** The Sonde credential in a request to a route, if there is one. */
export function callerSecretOf(
  { credential }: Pick<InlineRoute, 'credential'>,
  { header, query }: Carrier,
): CallerSecret | undefined {
  if (credential.kind === 'caller') {
    const value = bearerOf(header('sonde-authorization'));
    return value === undefined ? undefined : { value, place: 'authorization' };
  }
  for (const place of KEY_HEADERS) {
    const value = KEY_PLACES[place].read(header(place));
    if (value !== undefined) return { value, place };
  }
  const value = query.includes(KEY_PARAMETER) && new URLSearchParams(query).get(KEY_PARAMETER);
  return value ? { value, place: 'query' } : undefined;
}

/** The upstream's key, in the header that the route names or else in the one that the caller used. */
export function keyHeader(
  { keyHeader: own }: Pick<InlineRoute, 'keyHeader'>,
  key: string,
  secret: CallerSecret | undefined,
): HeaderPair {
  const used = secret?.place === 'query' ? HEADER_OF_PARAMETER : secret?.place;
  const name = own ?? used ?? 'authorization';
  return [name, KEY_PLACES[name].write(key)];
}

/** No credential of this server is shorter, so a placeholder such as `none` is never searched for. */
const SECRET_CHARS_MIN = 32;

/** Whether a header would show the credential to the upstream. */
export function carries(value: string, secret: CallerSecret | undefined): boolean {
  return secret !== undefined && secret.value.length >= SECRET_CHARS_MIN && value.includes(secret.value);
}

/** The query without the credential; all other parameters keep their spelling. */
export function withoutSecret(search: string, secret: CallerSecret | undefined): string {
  if (!secret || search.length < 2) return search;
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => {
      const [[name, value] = ['', '']] = new URLSearchParams(part);
      return !(secret.place === 'query' && name === KEY_PARAMETER) && !carries(`${name} ${value}`, secret);
    });
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
