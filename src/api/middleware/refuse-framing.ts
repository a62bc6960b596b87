/** Refuses what no route accepts: WebSocket upgrades, and a body of a GET. */
import type { MiddlewareHandler } from 'hono';
import { refuseGetBody, refuseUpgrade } from '../../kernel/refusals.js';
import type { AppEnv } from '../app-env.js';

export const refuseFraming: MiddlewareHandler<AppEnv> = async (c, next) => {
  const header = (name: string) => c.req.header(name);
  refuseUpgrade(header);
  refuseGetBody(c.req.method, header);
  return next();
};
