/** 405 with an `Allow` that lists the methods of this path, OPTIONS included, and HEAD if there is GET. */
import { SondeError } from '../../errors.js';
import type { AppContext } from '../app-env.js';

export function methodNotAllowed(c: AppContext, methods: readonly string[]): SondeError {
  const allowed = [...methods, 'OPTIONS'];
  c.header('Allow', allowed.join(', '));
  return new SondeError('METHOD_NOT_ALLOWED', `This path supports ${allowed.join(', ')}.`, {
    details: { allowed },
  });
}

export function withHead(methods: readonly string[]): string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : [...methods];
}
