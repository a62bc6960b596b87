/**
 * The grammar of the inline routes' settings, and what a credential may use of them. Tokens, service tokens and sessions
 * carry the same two lists.
 */
export interface RouteClaims {
  /** Routes with a key of this server that the credential may use. */
  readonly routes?: readonly string[];
  /** Requests that the credential may send through routes, such as `POST /v1/chat/completions`; all if absent. */
  readonly paths?: readonly string[];
}

export const ROUTE_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
export const ROUTE_NAME_FORM = 'a route name of 1 to 63 characters of a-z, 0-9, - and _';

export const ROUTE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A method or `*`, and a path in which `*` stands for any text. */
export const PATH_RULE = /^(GET|HEAD|POST|PUT|PATCH|DELETE|\*) (\/[^\s?#\\]{0,1023})$/;
export const PATH_RULE_FORM =
  'a method (GET, HEAD, POST, PUT, PATCH, DELETE or *), a space and the path as the upstream receives it, such as "POST /v1/chat/completions" or "GET /v1/*"';

/** The headers in which SDKs send an API key; if a request has several, the first one counts. */
export const KEY_HEADERS = ['x-api-key', 'x-goog-api-key', 'api-key', 'authorization'] as const;
export type KeyHeader = (typeof KEY_HEADERS)[number];

export const CREDENTIAL_FORM =
  '"env:NAME" (the key is in that environment variable), "caller" (each caller sends its own), or keys by tenant such as {"acme": "env:ACME_KEY", "*": "env:KEY"}';

export const ROUTES_MAX = 64;
export const PATHS_MAX = 64;

/** Undefined unless both lists are well formed; members without a meaning are never dropped silently. */
export function readRouteClaims({
  routes,
  paths,
}: {
  readonly routes?: unknown;
  readonly paths?: unknown;
}): RouteClaims | undefined {
  if (routes !== undefined && !isListOf(routes, ROUTE_NAME, ROUTES_MAX)) return undefined;
  if (paths !== undefined && !isListOf(paths, PATH_RULE, PATHS_MAX)) return undefined;
  return { ...(routes !== undefined && { routes }), ...(paths !== undefined && { paths }) };
}

function isListOf(value: unknown, form: RegExp, max: number): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= max &&
    value.every((entry) => typeof entry === 'string' && form.test(entry))
  );
}
