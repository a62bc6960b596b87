/**
 * Decides whether a caller may send a request through a route, before anything is stored or sent. A route may name its
 * tenants and its requests. A route with a key of this server is only for credentials that name it (`routes`), since
 * whoever can use it spends that key; a credential's `paths` limit what it sends through any route.
 */
import { SondeError } from '../errors.js';
import type { RouteClaims } from '../route-claims.js';
import type { InlineRoute } from './inline-routes.js';
import { compilePathRule } from './path-rule.js';

/** `all` for administrators of the tenant. */
export type RouteAccess = 'all' | RouteClaims;

interface RouteRequest {
  readonly tenant: string;
  readonly access: RouteAccess;
  readonly method: string;
  /** The URL that is sent. */
  readonly url: URL;
}

export function demandRoute(route: InlineRoute, request: RouteRequest): void {
  const refusal = settingRefusal(route, request) ?? claimRefusal(route, request);
  if (!refusal) return;
  const { why, ...details } = refusal;
  throw new SondeError('ROUTE_FORBIDDEN', `The route "${route.name}" ${why}`, {
    details: { route: route.name, tenant: request.tenant, ...details },
  });
}

type Refusal =
  | { readonly why: string; readonly setting: string }
  | { readonly why: string; readonly claim: keyof RouteClaims; readonly command: string };

/** By the route's own settings, which hold for everyone. */
function settingRefusal(
  { name, tenants, credential, paths }: InlineRoute,
  request: RouteRequest,
): Refusal | undefined {
  const { tenant, method, url } = request;
  const at = (field: string) => `proxy.routes.${name}.${field}`;
  const refuse = (field: string, what: string, add: string): Refusal => ({
    why: `${what}. To allow it, an operator adds ${add} to ${at(field)}.`,
    setting: at(field),
  });
  if (tenants && !tenants.has(tenant))
    return refuse('tenants', `is not for the tenant "${tenant}"`, `"${tenant}"`);
  if (credential.kind === 'key' && credential.keyOf(tenant) === undefined)
    return refuse('credential', `has no key for the tenant "${tenant}"`, `"${tenant}": "env:NAME"`);
  if (paths && !paths.some((rule) => rule(method, url)))
    return refuse('paths', `does not allow ${requestOf(request)}`, `"${requestOf(request)}"`);
  return undefined;
}

/** By the claims of the caller's credential. */
function claimRefusal({ name, credential }: InlineRoute, request: RouteRequest): Refusal | undefined {
  const { access, method, url } = request;
  if (access === 'all') return undefined;
  const { routes = [], paths } = access;
  const refuse = (claim: keyof RouteClaims, what: string): Refusal => {
    const command = commandFor(name, request);
    return { why: `${what}. Mint a token that does: ${command}`, claim, command };
  };
  if (credential.kind === 'key' && !routes.includes(name))
    return refuse(
      'routes',
      'uses a key of this server, and the claim "routes" of the credential does not name it',
    );
  if (paths && !paths.some((text) => compilePathRule(text)?.(method, url)))
    return refuse(
      'paths',
      `was called with ${requestOf(request)}, which the claim "paths" of the credential does not allow`,
    );
  return undefined;
}

/** Has a rule for the request only if the credential has rules at all. */
function commandFor(name: string, request: RouteRequest): string {
  const limited = request.access !== 'all' && request.access.paths !== undefined;
  const path = limited ? ` --path '${requestOf(request)}'` : '';
  return `sonde token --tenant ${request.tenant} --scope proxy:create --route ${name}${path}`;
}

const PATH_CHARS_MAX = 200;

/** The request as a rule that would allow it. A path of the caller is shown only if a shell reads it as one word. */
function requestOf({ method, url: { pathname } }: RouteRequest): string {
  const isPlain = pathname.length <= PATH_CHARS_MAX && /^[\w/.~:@%+-]+$/.test(pathname);
  return `${method} ${isPlain ? pathname : '/…'}`;
}
