/**
 * Named routes: `/r/{name}/…` maps to one upstream, so that an SDK user changes only the base URL. A route states where
 * the upstream's credential comes from: the environment (`env:NAME`, also one per tenant; the caller's own credential is
 * then for Sonde) or the caller (Sonde's credential then has its own header). It may name the tenants and the requests
 * that it is for (`route-access.ts`). Compiled once. No configuration can forward a credential that was meant for Sonde.
 */
import { SondeError } from '../errors.js';
import type { Log } from '../log.js';
import { type HeaderPair, headerValues } from '../net/index.js';
import { KEY_HEADERS, type KeyHeader, PATH_RULE_FORM, ROUTE_NAME, ROUTE_NAME_FORM } from '../route-claims.js';
import { trimEnd } from '../trim-end.js';
import { tryUrl } from '../try-url.js';
import { type Allowlist, compileAllowlist } from './allowlist.js';
import { type CallerSecret, carries, keyHeader } from './caller-secret.js';
import { compilePathRule, type PathRule } from './path-rule.js';
import {
  type CredentialSetting,
  EVERY_TENANT,
  type RouteCredential,
  readCredential,
} from './route-credential.js';

export interface RouteSetting {
  readonly url: string;
  readonly credential?: CredentialSetting | undefined;
  readonly keyHeader?: KeyHeader | undefined;
  readonly tenants?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly private?: boolean | undefined;
  readonly headersMs?: number | undefined;
}

export interface InlineRoute {
  readonly name: string;
  readonly base: URL;
  readonly credential: RouteCredential;
  /** Where the upstream's key is put; by default, where the caller's SDK puts its own. */
  readonly keyHeader?: KeyHeader;
  /** Null for every tenant of the server. */
  readonly tenants: ReadonlySet<string> | null;
  /** Null for every request. */
  readonly paths: readonly PathRule[] | null;
  readonly allowlist: Allowlist;
  readonly headersMs?: number;
}

export type InlineRoutes = ReadonlyMap<string, InlineRoute>;

export interface RouteContext {
  /** Whether callers of this server authenticate with a Sonde credential. */
  readonly authenticated: boolean;
  readonly env: (name: string) => string | undefined;
}

export function compileRoutes(
  settings: Readonly<Record<string, RouteSetting>>,
  context: RouteContext,
): InlineRoutes {
  return new Map(
    Object.entries(settings).map(([name, setting]) => [name, compileRoute(name, setting, context)]),
  );
}

function compileRoute(name: string, setting: RouteSetting, context: RouteContext): InlineRoute {
  const refuse = (why: string) => badRoute(name, why);
  if (!ROUTE_NAME.test(name)) throw refuse(`its name must be ${ROUTE_NAME_FORM}`);
  const { url, private: lifted, headersMs, keyHeader: header, tenants } = setting;
  const base = tryUrl(url);
  const plain = base && ['http:', 'https:'].includes(base.protocol) && !/[?#@\\*]/.test(url);
  if (!plain) throw refuse('url must be an http or https URL without credentials, query or star');
  const path = trimEnd(base.pathname, '/');
  const credential = readCredential(setting, context, refuse);
  if (header !== undefined && credential.kind === 'caller')
    throw refuse(
      'keyHeader is for a key of this server; remove it, or set credential to "env:NAME" instead of "caller"',
    );
  return {
    name,
    base,
    credential,
    ...(header !== undefined && { keyHeader: header }),
    ...(headersMs !== undefined && { headersMs }),
    tenants: tenants === undefined ? null : new Set(tenants),
    paths: setting.paths?.map((text) => readRule(text, refuse)) ?? null,
    allowlist: compileAllowlist([`${lifted ? 'private:' : ''}${base.origin}${path}/*`]),
  };
}

function readRule(text: string, refuse: (why: string) => SondeError): PathRule {
  const rule = compilePathRule(text);
  if (rule) return rule;
  throw refuse(`paths: "${text}" can never match a request; expected ${PATH_RULE_FORM}`);
}

/** Reports routes whose key every tenant of this server can use. */
export function warnOfSharedKeys(routes: InlineRoutes, log: Log): void {
  const shared = [...routes.values()].filter(
    ({ tenants, credential }) =>
      tenants === null && credential.kind === 'key' && credential.keyOf(EVERY_TENANT) !== undefined,
  );
  for (const { name } of shared) {
    log.warn(
      `the key of the route ${name} can be used by every tenant of this server; name its tenants in proxy.routes.${name}.tenants`,
      { route: name },
    );
  }
}

/** The upstream URL for a path below the route, or undefined if the path leads out of it. */
export function targetOf(
  { base, allowlist }: InlineRoute,
  rest: string,
): { url: URL; lifted: boolean } | undefined {
  return allowlist.match(`${base.origin}${trimEnd(base.pathname, '/')}${rest}`);
}

interface Credentials {
  readonly tenant: string;
  readonly secret: CallerSecret | undefined;
}

/**
 * Splits the caller's headers into those that are forwarded and the credentials that replace the others. No header that
 * would show the caller's Sonde credential to the upstream is in either list.
 */
export function credentialHeaders(
  route: InlineRoute,
  given: readonly HeaderPair[],
  { tenant, secret }: Credentials,
): { readonly forwarded: readonly HeaderPair[]; readonly credentials: readonly HeaderPair[] } {
  const plain = given.filter(([, value]) => !carries(value, secret));
  const { credential } = route;
  if (credential.kind === 'caller') {
    const [authorization] = headerValues(plain, 'authorization');
    return {
      forwarded: plain,
      credentials: authorization === undefined ? [] : [['authorization', authorization]],
    };
  }
  const key = credential.keyOf(tenant);
  return {
    forwarded: plain.filter(([name]) => !KEY_NAMES.has(name.toLowerCase())),
    credentials: key === undefined ? [] : [keyHeader(route, key, secret)],
  };
}

const KEY_NAMES: ReadonlySet<string> = new Set<string>(KEY_HEADERS);

function badRoute(name: string, why: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `proxy.routes.${name}: ${why}`, {
    details: { key: 'proxy.routes', route: name },
  });
}
