/** Handles `app.notFound`: a known path with an unsupported method gets 405 and its list of methods, others get 404. */
import { SondeError } from '../../errors.js';
import type { App, AppContext } from '../app-env.js';
import { methodNotAllowed } from './method-not-allowed.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

export function respondNotFound(app: App): (c: AppContext) => never {
  return (c) => {
    // Middleware is registered for ALL methods and does not make a path exist.
    const serves = (method: string) =>
      app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method !== 'ALL');
    const served = METHODS.filter((method) => serves(method === 'HEAD' ? 'GET' : method));
    if (served.length === 0) throw new SondeError('NOT_FOUND', 'Nothing exists at this path.');
    throw methodNotAllowed(c, served);
  };
}
