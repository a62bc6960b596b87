/**
 * Refuses WebSocket upgrades. Otherwise the request would be handled and sent upstream like any other, and the client
 * would fail on an unexpected 200.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import type { AppEnv } from '../app-env.js';

export const refuseUpgrade: MiddlewareHandler<AppEnv> = (c, next) => {
  const protocol = c.req.header('upgrade');
  if (protocol !== undefined && /\bwebsocket\b/i.test(protocol)) throw upgradeRefused();
  return next();
};

export function upgradeRefused(): SondeError {
  return new SondeError(
    'UPGRADE_NOT_SUPPORTED',
    'WebSocket is not supported. Send an ordinary HTTP request, without Upgrade.',
  );
}
