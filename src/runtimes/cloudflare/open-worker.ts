/**
 * A Worker without authentication is for one's own machine. The platform marks whatever comes through it, which no
 * caller can take off; the app refuses hosts that are not loopback besides.
 */
import { SondeError } from '../../errors.js';

const PLATFORM_MARK = 'cf-ray';

export function refuseOpenWorker(auth: 'jwt' | 'none', headers: Headers): void {
  if (auth !== 'none' || !headers.has(PLATFORM_MARK)) return;
  throw new SondeError(
    'CONFIG_INVALID_VALUE',
    'server.auth: none is allowed only on your own machine, but this Worker is reachable from elsewhere (SONDE_AUTH)',
    { details: { key: 'server.auth' } },
  );
}
