/**
 * Refuses a GET or HEAD with a body. HTTP gives such a body no meaning, and hosts differ: one drops it, another cannot
 * forward it (`docs/ENGINES.md`). Every host therefore refuses it before doing any work.
 */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-env.js';
import { invalidField } from './validation.js';

export const refuseGetBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { method } = c.req;
  if ((method === 'GET' || method === 'HEAD') && declaresBody((name) => c.req.header(name))) {
    throw invalidField('body', `A ${method} request must not have a body.`);
  }
  return next();
};

export function declaresBody(header: (name: string) => string | undefined): boolean {
  return header('transfer-encoding') !== undefined || Number(header('content-length') ?? 0) !== 0;
}
