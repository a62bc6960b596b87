/**
 * Finds the credential of a request. Most routes read `Authorization: Bearer`; the proxy also reads `?secret=`. An
 * inline route reads the API key that an SDK sends anyway or, if that key belongs to the upstream,
 * `Sonde-Authorization`.
 */
import {
  bearerOf,
  callerSecretOf,
  type InlineRoute,
  type InlineRoutes,
  KEY_FORM,
} from '../../proxy/index.js';

interface CredentialCarrier {
  readonly headers: Pick<Headers, 'get'>;
  readonly url: string;
}

export interface ShownCredential {
  readonly bearer: string | undefined;
  /** Where this request should carry one, completing "Send a token …". */
  readonly form: string;
}

export type FindCredential = (request: CredentialCarrier) => ShownCredential;

const BEARER_FORM = 'as "Authorization: Bearer …"';

export function createCredentialFinder(routes: InlineRoutes | undefined): FindCredential {
  return ({ headers, url }) => {
    const { pathname, searchParams, search } = new URL(url);
    if (pathname === '/v1/proxy' || pathname.startsWith('/v1/proxy/')) {
      const bearer = bearerOf(headers.get('authorization')) ?? searchParams.get('secret') ?? undefined;
      return { bearer, form: BEARER_FORM };
    }
    const route = routes?.get(/^\/r\/([^/]+)/.exec(pathname)?.[1] ?? '');
    if (!route) return { bearer: bearerOf(headers.get('authorization')), form: BEARER_FORM };
    const header = (name: string) => headers.get(name);
    return { bearer: inlineBearer(route, { header, query: search.slice(1) }), form: formFor(route) };
  };
}

export function inlineBearer(
  route: InlineRoute,
  carrier: Parameters<typeof callerSecretOf>[1],
): string | undefined {
  return callerSecretOf(route, carrier)?.value;
}

function formFor({ name, credential }: InlineRoute): string {
  if (credential.kind === 'key') return KEY_FORM;
  return `of this server as "Sonde-Authorization: Bearer …"; the route "${name}" forwards Authorization to its upstream`;
}
