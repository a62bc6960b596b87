/** `app.notFound`: a known path with another method is 405 and says which methods there are; else 404. */
import { SondeError } from '../../errors.js';
import type { App, AppContext } from '../app-env.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function answerNotFound(app: App): (c: AppContext) => never {
  return (c) => {
    const allowed = allowedMethods(app, c.req.path);
    if (allowed.length === 0) throw new SondeError('NOT_FOUND', 'There is nothing at this path.');
    c.header('Allow', allowed.join(', '));
    throw new SondeError('METHOD_NOT_ALLOWED', `This path answers ${allowed.join(', ')}.`, {
      details: { allowed },
    });
  };
}

/** Middleware is registered for ALL methods and does not make a path exist. */
function allowedMethods(app: App, path: string): string[] {
  const served = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL'),
  );
  if (served.length === 0) return [];
  return [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}
