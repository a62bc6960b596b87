/** Handles `app.notFound`: a known path with an unsupported method gets 405 and its list of methods, others get 404. */
import { SondeError } from '../../errors.js';
import type { App, AppContext } from '../app-env.js';
import { INLINE_PREFIX } from '../routes/inline.js';
import { INLINE_METHODS } from '../routes/proxy-openapi.js';
import { SUBSCRIPTION_PREFIX, subscriptionMethods } from '../routes/subscriptions.js';
import { methodNotAllowed, withHead } from './method-not-allowed.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function respondNotFound(app: App): (c: AppContext) => never {
  return (c) => {
    const methods = methodsOf(app, c.req.path);
    if (methods.length === 0) throw new SondeError('NOT_FOUND', 'Nothing exists at this path.');
    throw methodNotAllowed(c, methods);
  };
}

function methodsOf(app: App, path: string): readonly string[] {
  // Middleware is registered for ALL methods and does not make a path exist.
  const served = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL'),
  );
  // These two routes handle many paths and have their own lists of methods.
  if (served.length > 0 && path.startsWith(SUBSCRIPTION_PREFIX)) return subscriptionMethods(path);
  if (served.length > 0 && path.startsWith(INLINE_PREFIX)) return INLINE_METHODS;
  return withHead(served);
}
