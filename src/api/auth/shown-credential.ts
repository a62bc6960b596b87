/**
 * Finds the credential of a request. Most routes read `Authorization: Bearer`; the proxy also reads `?secret=`. An
 * inline route reads the API key that an SDK sends anyway or, if that key belongs to the upstream,
 * `Sonde-Authorization`.
 */
import type { InlineRoute, InlineRoutes } from '../../proxy/index.js';

interface CredentialCarrier {
  readonly headers: Pick<Headers, 'get'>;
  readonly url: string;
}

export type FindCredential = (request: CredentialCarrier) => string | undefined;

export function createCredentialFinder(routes: InlineRoutes | undefined): FindCredential {
  return ({ headers, url }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/v1/proxy' || pathname.startsWith('/v1/proxy/')) {
      return bearerOf(headers.get('authorization')) ?? searchParams.get('secret') ?? undefined;
    }
    const route = routes?.get(/^\/r\/([^/]+)/.exec(pathname)?.[1] ?? '');
    if (!route) return bearerOf(headers.get('authorization'));
    return inlineBearer(route, headers);
  };
}

export function inlineBearer(
  { credential }: InlineRoute,
  headers: CredentialCarrier['headers'],
): string | undefined {
  if (credential.kind === 'caller') return bearerOf(headers.get('sonde-authorization'));
  return headers.get('x-api-key') ?? bearerOf(headers.get('authorization'));
}

export function bearerOf(header: string | null): string | undefined {
  return /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trim();
}
