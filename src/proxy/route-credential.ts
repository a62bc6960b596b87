/**
 * The credential of a route: the caller's own, one key of this server, or one key per tenant. A setting that
 * contradicts the route's tenants, or a variable that is not set, is refused at start.
 */
import type { SondeError } from '../errors.js';
import { CREDENTIAL_FORM } from '../route-claims.js';

/** In a map of keys: every tenant that the map does not name. */
export const EVERY_TENANT = '*';

export type CredentialSetting = string | Readonly<Record<string, string>>;

export type RouteCredential =
  | { readonly kind: 'caller' }
  /** The key of a tenant; undefined if the route has none for it. */
  | { readonly kind: 'key'; keyOf(tenant: string): string | undefined };

interface Given {
  readonly credential?: CredentialSetting | undefined;
  readonly tenants?: readonly string[] | undefined;
}

interface Context {
  readonly authenticated: boolean;
  readonly env: (name: string) => string | undefined;
}

type Refuse = (why: string) => SondeError;

export function readCredential(
  { credential, tenants }: Given,
  context: Context,
  refuse: Refuse,
): RouteCredential {
  if (credential === 'caller') return { kind: 'caller' };
  if (credential === undefined) {
    if (!context.authenticated) return { kind: 'caller' };
    throw refuse(`credential is missing; set it to ${CREDENTIAL_FORM}`);
  }
  if (typeof credential === 'string') {
    const key = keyFrom(credential, context, refuse);
    return { kind: 'key', keyOf: () => key };
  }
  refuseContradictions(credential, tenants, refuse);
  const keys = new Map(
    Object.entries(credential).map(([tenant, text]) => [tenant, keyFrom(text, context, refuse)]),
  );
  return { kind: 'key', keyOf: (tenant) => keys.get(tenant) ?? keys.get(EVERY_TENANT) };
}

/** The variables of the environment with the keys of a route. */
export function credentialVariables(credential: CredentialSetting | undefined): string[] {
  const texts = typeof credential === 'object' ? Object.values(credential) : [credential ?? ''];
  return texts.flatMap((text) => VARIABLE.exec(text)?.[1] ?? []);
}

const VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

function keyFrom(text: string, { env }: Context, refuse: Refuse): string {
  const [variable] = credentialVariables(text);
  // The text is not repeated, because it may be the key itself.
  if (variable === undefined) throw refuse(`credential must be ${CREDENTIAL_FORM}`);
  const value = env(variable)?.trim();
  if (value) return value;
  throw refuse(`the environment variable ${variable} is not set; set it, or name another one in credential`);
}

function refuseContradictions(
  keys: Readonly<Record<string, string>>,
  tenants: readonly string[] | undefined,
  refuse: Refuse,
): void {
  const named = Object.keys(keys).filter((tenant) => tenant !== EVERY_TENANT);
  if (Object.keys(keys).length === 0) throw refuse(`credential names no key; set it to ${CREDENTIAL_FORM}`);
  if (tenants === undefined) return;
  const foreign = named.find((tenant) => !tenants.includes(tenant));
  if (foreign !== undefined)
    throw refuse(
      `credential has a key for the tenant "${foreign}", which tenants does not name; add it there, or remove its key`,
    );
  const keyless = tenants.find((tenant) => !named.includes(tenant));
  if (keyless !== undefined && keys[EVERY_TENANT] === undefined)
    throw refuse(`credential has no key for the tenant "${keyless}"; add "${keyless}": "env:NAME", or "*"`);
}
