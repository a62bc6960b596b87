/**
 * The settings of the edge engine: the product's own table, read from the Worker's variables and secrets, and the
 * few that only this engine has. One root secret is bound; every key of the server is derived from it, each for
 * one purpose (HKDF), so that none can stand for another.
 */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { DEFAULT_TENANT } from '../../api/auth/principal.js';
import { resolveSettings } from '../../config/resolve-settings.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { toBase64Url } from '../../net/index.js';
import type { EdgeEnv } from './edge-env.js';
import { DOH_URL_DEFAULT } from './egress/edge-client.js';
import { refuseIdle } from './idle-settings.js';
import { readTenantQuotas, type TenantQuotas } from './tenant-quotas.js';

export interface EdgeSettings extends Settings {
  readonly edge: {
    /** Where DNS is asked over HTTPS before each hop. */
    readonly dohUrl: string;
    readonly tenants: ReadonlySet<string>;
    readonly quotas: TenantQuotas;
    /** A run that made no progress for this long is considered interrupted. */
    readonly quietMs: number;
    /** What explains comparisons where Workers AI is bound and no other model is configured. */
    readonly aiModel: string;
    /** 32 bytes as base64url that serve this purpose alone. */
    keyFor(purpose: string): string;
  };
}

/** Variables of this engine alone. */
const OWN = {
  secret: 'SONDE_SECRET',
  dohUrl: 'SONDE_DOH_URL',
  tenants: 'SONDE_TENANTS',
  quotas: 'SONDE_TENANT_QUOTAS',
  quietMs: 'SONDE_RUN_QUIET_MS',
  aiModel: 'SONDE_AI_MODEL',
} as const;
const AI_MODEL_DEFAULT = '@cf/meta/llama-3.3-70b-instruct-fp8-fast';
const QUIET_MS = { least: 1_000, default: 60_000, most: 3_600_000 } as const;
const SECRET_CHARS_MIN = 32;
const KEY_BYTES = 32;
/** A call to an object carries at most 32 MiB. */
const BODY_BYTES_MAX = 24 * 1024 ** 2;

export function readEdgeSettings(env: EdgeEnv): EdgeSettings {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === 'string' && !Object.values<string>(OWN).includes(name)) variables[name] = value;
  }
  const { settings, origins } = resolveSettings({ env: variables });
  refuseIdle(origins);
  if (settings.server.bodyBytesMax > BODY_BYTES_MAX) {
    throw invalid('server.bodyBytesMax', `at most ${BODY_BYTES_MAX} bytes are supported at the edge`);
  }
  const root = textOf(env, OWN.secret);
  if (root === undefined || root.length < SECRET_CHARS_MIN) {
    throw invalid(OWN.secret, `a secret of at least ${SECRET_CHARS_MIN} characters is required`);
  }
  const named = (textOf(env, OWN.tenants) ?? '').split(',').map((slug) => slug.trim());
  const bound = settings.auth.serviceTokens.map(({ tenant }) => tenant);
  const tenants = new Set([DEFAULT_TENANT, ...bound, ...named.filter((slug) => slug !== '')]);
  return {
    ...settings,
    edge: {
      dohUrl: textOf(env, OWN.dohUrl) ?? DOH_URL_DEFAULT,
      tenants,
      quotas: readTenantQuotas(textOf(env, OWN.quotas), tenants),
      quietMs: readQuiet(textOf(env, OWN.quietMs)),
      aiModel: textOf(env, OWN.aiModel) ?? AI_MODEL_DEFAULT,
      keyFor: (purpose) => toBase64Url(hkdf(sha256, utf8(root), undefined, utf8(purpose), KEY_BYTES)),
    },
  };
}

function readQuiet(text: string | undefined): number {
  const { least, most } = QUIET_MS;
  const given = text === undefined ? QUIET_MS.default : Number(text);
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  throw invalid(OWN.quietMs, `expected a whole number of milliseconds from ${least} to ${most}`);
}

function textOf(env: EdgeEnv, name: string): string | undefined {
  const value = env[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function invalid(key: string, fault: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `${key}: ${fault}`, { details: { key } });
}
