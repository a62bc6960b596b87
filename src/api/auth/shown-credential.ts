/**
 * Finds the credential of a request. Most operations read `Authorization: Bearer`; the proxy also reads `?secret=`. An
 * inline route reads the API key that an SDK sends anyway or, if that key belongs to the upstream,
 * `Sonde-Authorization`.
 */
import type { FindCredential } from '../../kernel/door.js';
import {
  bearerOf,
  callerSecretOf,
  type InlineRoute,
  type InlineRoutes,
  KEY_FORM,
} from '../../proxy/index.js';

export const BEARER_FORM = 'as "Authorization: Bearer …"';

export function createCredentialFinder(routes: InlineRoutes | undefined): FindCredential {
  return (arrived, place, [name = '']) => {
    const route = place === 'route' ? routes?.get(name) : undefined;
    if (route) {
      const carrier = { query: arrived.query, header: (each: string) => arrived.header(each) };
      return { bearer: callerSecretOf(route, carrier)?.value, form: formFor(route) };
    }
    const bearer = bearerOf(arrived.header('authorization'));
    if (bearer !== undefined || place !== 'query') return { bearer, form: BEARER_FORM };
    return { bearer: new URLSearchParams(arrived.query).get('secret') ?? undefined, form: BEARER_FORM };
  };
}

function formFor({ name, credential }: InlineRoute): string {
  if (credential.kind === 'key') return KEY_FORM;
  return `of this server as "Sonde-Authorization: Bearer …"; the route "${name}" forwards Authorization to its upstream`;
}
