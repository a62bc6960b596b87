/**
 * Named routes: `/r/{name}/…` maps to one upstream, so that an SDK user changes only the base URL. A route states where
 * the upstream's credential comes from: the environment (`env:NAME`; the caller's own credential is then for Sonde) or
 * the caller (Sonde's credential then has its own header). Compiled once. No configuration can forward a credential
 * that was meant for Sonde.
 */
import { SondeError } from '../errors.js';
import type { HeaderPair } from '../net/index.js';
import { trimEnd } from '../trim-end.js';
import { tryUrl } from '../try-url.js';
import { type Allowlist, compileAllowlist } from './allowlist.js';

export interface RouteSetting {
  readonly url: string;
  readonly credential?: string | undefined;
  readonly private?: boolean | undefined;
  readonly headersMs?: number | undefined;
}

export type Credential = { readonly kind: 'caller' } | { readonly kind: 'key'; readonly value: string };

export interface InlineRoute {
  readonly name: string;
  readonly base: URL;
  readonly credential: Credential;
  readonly allowlist: Allowlist;
  readonly headersMs?: number;
}

export type InlineRoutes = ReadonlyMap<string, InlineRoute>;

export interface RouteContext {
  /** Whether callers of this server authenticate with a Sonde credential. */
  readonly authenticated: boolean;
  readonly env: (name: string) => string | undefined;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

export function compileRoutes(
  settings: Readonly<Record<string, RouteSetting>>,
  context: RouteContext,
): InlineRoutes {
  return new Map(
    Object.entries(settings).map(([name, setting]) => [name, compileRoute(name, setting, context)]),
  );
}

function compileRoute(
  name: string,
  { url, credential, private: lifted, headersMs }: RouteSetting,
  context: RouteContext,
): InlineRoute {
  if (!NAME.test(name)) throw bad(name, 'a name must have 1 to 63 characters of a-z, 0-9, - and _');
  const base = tryUrl(url);
  const plain = base && ['http:', 'https:'].includes(base.protocol) && !/[?#@\\*]/.test(url);
  if (!plain) throw bad(name, 'url must be an http or https URL without credentials, query or star');
  const path = trimEnd(base.pathname, '/');
  return {
    name,
    base,
    credential: readCredential(name, credential, context),
    ...(headersMs !== undefined && { headersMs }),
    allowlist: compileAllowlist([`${lifted ? 'private:' : ''}${base.origin}${path}/*`]),
  };
}

function readCredential(
  name: string,
  text: string | undefined,
  { authenticated, env }: RouteContext,
): Credential {
  if (text === 'caller') return { kind: 'caller' };
  if (text === undefined) {
    if (!authenticated) return { kind: 'caller' };
    throw bad(name, 'credential is missing; set it to "env:NAME" or "caller"');
  }
  const variable = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
  if (variable === undefined) throw bad(name, 'credential must be "env:NAME" or "caller"');
  const value = env(variable)?.trim();
  if (!value) throw bad(name, `the environment variable ${variable} is not set`);
  return { kind: 'key', value };
}

/** The upstream URL for a path below the route, or undefined if the path leads out of it. */
export function targetOf(
  { base, allowlist }: InlineRoute,
  rest: string,
): { url: URL; lifted: boolean } | undefined {
  return allowlist.match(`${base.origin}${trimEnd(base.pathname, '/')}${rest}`);
}

/** SDKs send their key as a bearer token or in `x-api-key`; the upstream's key uses the same header. */
export function credentialHeaders(
  { credential }: InlineRoute,
  header: (name: string) => string | null,
): HeaderPair[] {
  const authorization = header('authorization');
  const apiKey = header('x-api-key');
  if (credential.kind === 'caller') {
    return [
      ...(authorization === null ? [] : ([['authorization', authorization]] as const)),
      ...(apiKey === null ? [] : ([['x-api-key', apiKey]] as const)),
    ];
  }
  return apiKey === null
    ? [['authorization', `Bearer ${credential.value}`]]
    : [['x-api-key', credential.value]];
}

function bad(name: string, why: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `proxy.routes.${name}: ${why}`, {
    details: { key: 'proxy.routes', route: name },
  });
}
