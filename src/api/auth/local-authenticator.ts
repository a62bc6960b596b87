/**
 * Implements `--auth none`: every caller of this loopback server is tenant `default` with every scope. Web pages are
 * kept out. A `Host` that is not loopback means DNS rebinding and is refused on every route; a request that a page of
 * another origin caused may only open our pages.
 */
import { SondeError } from '../../errors.js';
import { SCOPES } from '../../scopes.js';
import type { Authenticator, AuthRequest } from './authenticator.js';
import { isForeignPage } from './foreign-page.js';
import { isLoopbackHost } from './loopback-host.js';
import { DEFAULT_TENANT, type Principal } from './principal.js';

const EVERYONE: Principal = { tenant: DEFAULT_TENANT, scopes: new Set(SCOPES), via: 'none' };

/** `allowedOrigins` lists the other origins whose pages the configuration allows. */
export function createLocalAuthenticator(allowedOrigins: readonly string[]): Authenticator {
  return {
    async authenticate(request) {
      refuseForeignHost(request);
      refuseForeignPage(request, allowedOrigins);
      return EVERYONE;
    },
  };
}

/** With an absolute-form request target the URL and the Host header can differ; both must be loopback. */
function refuseForeignHost({ headers, urlHost }: AuthRequest): void {
  if ([urlHost, headers.get('host') ?? 'localhost'].every(isLoopbackHost)) return;
  throw new SondeError(
    'ORIGIN_REFUSED',
    'Without authentication, this server accepts only localhost, 127.0.0.1 and [::1] in the Host header.',
  );
}

function refuseForeignPage(request: AuthRequest, allowedOrigins: readonly string[]): void {
  if (!isForeignPage(request, [...request.ownOrigins, ...allowedOrigins])) return;
  throw new SondeError(
    'ORIGIN_REFUSED',
    'Without authentication, pages of other origins are refused; allow one with --cors-origin.',
  );
}
