/** Why a credential cannot have these `routes` and `paths`; undefined if it can. Both need each other and a scope. */
import {
  PATH_RULE,
  PATH_RULE_FORM,
  PATHS_MAX,
  ROUTE_NAME,
  ROUTE_NAME_FORM,
  ROUTES_MAX,
} from '../../route-claims.js';

interface Given {
  readonly scopes: readonly string[];
  readonly routes?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export function routeClaimsFault({ scopes, routes, paths }: Given): string | undefined {
  if (routes === undefined && paths === undefined) return undefined;
  if (scopes.includes('admin'))
    return 'routes and paths cannot limit the scope "admin", which may use every route; use "proxy:create" instead';
  if (!scopes.includes('proxy:create')) return 'routes need the scope "proxy:create"; add it';
  if (!routes?.length) return 'paths limit the use of routes; name the routes too';
  if (paths?.length === 0) return 'paths must name at least one request; leave it out to allow every one';
  if (routes.length > ROUTES_MAX) return `routes may have at most ${ROUTES_MAX} names`;
  if (paths && paths.length > PATHS_MAX) return `paths may have at most ${PATHS_MAX} entries`;
  const name = routes.find((each) => !ROUTE_NAME.test(each));
  if (name !== undefined) return `"${name}" is not ${ROUTE_NAME_FORM}`;
  const path = paths?.find((each) => !PATH_RULE.test(each));
  return path === undefined ? undefined : `the path "${path}" is not ${PATH_RULE_FORM}`;
}
