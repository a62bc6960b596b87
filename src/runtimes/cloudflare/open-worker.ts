/**
 * Refuses requests to a deployed Worker without authentication, which is allowed only on the developer's machine. The
 * platform adds a header to every request, and callers cannot remove it. The app also refuses hosts that are not
 * loopback.
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
