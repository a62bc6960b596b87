import type { MiddlewareHandler } from 'hono';
import { refuseNulInUrl as refuseNul } from '../../kernel/refusals.js';
import type { AppEnv } from '../app-env.js';

export const refuseNulInUrl: MiddlewareHandler<AppEnv> = async (c, next) => {
  const [path = '', ...query] = c.req.url.split('?');
  refuseNul(path, query.join('?'));
  return next();
};
