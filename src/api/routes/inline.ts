/** `/r/{route}/…`: a base URL for SDKs. Returns the upstream's own response, which is recorded first. */
import { SondeError } from '../../errors.js';
import type { App, AppDeps } from '../app-env.js';
import { demandScope, routeAccessOf } from '../auth/require-scope.js';
import { callOf } from './proxy.js';
import { describeInline, INLINE_METHODS } from './proxy-openapi.js';
import { streamResponse } from './stream-response.js';

export const INLINE_PREFIX = '/r/';
export const INLINE_ROUTE = `${INLINE_PREFIX}*`;
const PATH = /^\/r\/([^/]+)(\/.*)?$/;

export function splitInlinePath(path: string): { readonly name: string; readonly rest: string } {
  const [, name = '', rest = '/'] = PATH.exec(path) ?? [];
  return { name, rest };
}

export function addInline(app: App, { proxy }: AppDeps): void {
  if (!proxy) return;
  describeInline(app);
  app.on([...INLINE_METHODS], INLINE_ROUTE, async (c) => {
    const principal = demandScope(c, 'proxy:create');
    const url = new URL(c.req.url);
    const { name, rest } = splitInlinePath(url.pathname);
    const route = proxy.routes.get(name);
    if (!route) {
      throw new SondeError(
        'NOT_FOUND',
        `There is no route "${name}"; routes are defined in the setting proxy.routes.`,
      );
    }
    const access = routeAccessOf(principal);
    const inline = { method: c.req.method, route, access, rest: `${rest}${url.search}` };
    const call = Object.assign(callOf(c, principal.tenant), inline);
    return streamResponse(c, await proxy.inline(call));
  });
}
