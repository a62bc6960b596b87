/** `/r/{route}/…`: an SDK's base URL. The answer is the upstream's own, recorded first. */
import { SondeError } from '../../errors.js';
import type { App, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { callOf } from './proxy.js';
import { describeInline } from './proxy-openapi.js';
import { streamResponse } from './stream-response.js';

export const INLINE_PREFIX = '/r/';
const PATH = /^\/r\/([^/]+)(\/.*)?$/;

export function addInline(app: App, { proxy }: AppDeps): void {
  if (!proxy) return;
  describeInline(app);
  app.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], `${INLINE_PREFIX}*`, async (c) => {
    const { tenant } = demandScope(c, 'proxy:create');
    const url = new URL(c.req.url);
    const [, name = '', rest = '/'] = PATH.exec(url.pathname) ?? [];
    const route = proxy.routes.get(name);
    if (!route) {
      throw new SondeError(
        'NOT_FOUND',
        `There is no route "${name}"; routes are named in the setting proxy.routes.`,
      );
    }
    const call = {
      ...callOf(c, tenant),
      method: c.req.method,
      route,
      rest: `${rest}${url.search}`,
      // Made only where it is asked for.
      get signal() {
        return c.req.raw.signal;
      },
    };
    return streamResponse(c, await proxy.inline(call));
  });
}
