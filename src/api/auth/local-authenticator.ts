/**
 * `--auth none`: whoever reaches this loopback server is tenant `default` with every scope. What keeps web
 * pages out is the request's own text: a `Host` that is not loopback means DNS rebinding, an `Origin` or
 * `Sec-Fetch-Site` that is not ours means another site's page. Both are refused on every route.
 */
import { SondeError } from '../../errors.js';
import { SCOPES } from '../../scopes.js';
import type { Authenticator, AuthRequest } from './authenticator.js';
import { isLoopbackHost } from './loopback-host.js';
import { DEFAULT_TENANT, type Principal } from './principal.js';

const EVERYONE: Principal = { tenant: DEFAULT_TENANT, scopes: new Set(SCOPES), via: 'none' };

/** `allowedOrigins`: pages of other origins that were named in the configuration. */
export function createLocalAuthenticator(allowedOrigins: readonly string[]): Authenticator {
  return {
    async authenticate(request) {
      refuseForeignHost(request);
      refuseForeignPage(request, allowedOrigins);
      return EVERYONE;
    },
  };
}

function refuseForeignHost({ headers, url }: AuthRequest): void {
  // With an absolute-form request target the URL and the Host header can differ; both must be loopback.
  const named = [hostOf(url), headers.get('host') ?? 'localhost'];
  if (named.every(isLoopbackHost)) return;
  throw new SondeError(
    'ORIGIN_REFUSED',
    'Without authentication this server answers only to localhost, 127.0.0.1 and [::1] as its Host.',
  );
}

/** Requests on the direct path to streams all spell the same URL, which need not be parsed each time. */
function hostOf(url: string): string {
  if (url !== lastParsed.url) lastParsed = { url, host: new URL(url).host };
  return lastParsed.host;
}

let lastParsed = { url: '', host: '' };

function refuseForeignPage({ headers, ownOrigins }: AuthRequest, allowedOrigins: readonly string[]): void {
  const origin = headers.get('origin');
  if (origin === null ? !isForeignSubresource(headers) : [...ownOrigins, ...allowedOrigins].includes(origin))
    return;
  throw new SondeError(
    'ORIGIN_REFUSED',
    'Without authentication, pages of other origins are refused; allow one with --cors-origin.',
  );
}

/** A browser sends no Origin with an `<img>` or `<script>` of another site, but says so in Sec-Fetch-Site. */
function isForeignSubresource(headers: AuthRequest['headers']): boolean {
  const site = headers.get('sec-fetch-site');
  const foreign = site === 'cross-site' || site === 'same-site';
  return foreign && headers.get('sec-fetch-mode') !== 'navigate';
}
