/** Responds with 405 and an `Allow` header that lists the path's methods, with OPTIONS, and with HEAD if it has GET. */
import { SondeError } from '../../errors.js';
import type { AppContext } from '../app-env.js';

export function methodNotAllowed(c: AppContext, methods: readonly string[]): SondeError {
  const allowed = [...methods, 'OPTIONS'];
  c.header('Allow', allowed.join(', '));
  return new SondeError('METHOD_NOT_ALLOWED', `This path supports ${allowed.join(', ')}.`, {
    details: { allowed },
  });
}
