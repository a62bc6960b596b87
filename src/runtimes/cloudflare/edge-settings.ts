/**
 * The settings of the edge engine: the common settings, read from the Worker's variables and secrets, and a few that
 * only this engine has. There is one root secret. Every key of the server is derived from it for one purpose (HKDF), so
 * that no key can replace another. A previous root secret is used only to open and verify what it sealed and signed.
 */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { DEFAULT_TENANT } from '../../api/auth/principal.js';
import { resolveSettings } from '../../config/resolve-settings.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { toBase64Url } from '../../net/index.js';
import type { EdgeEnv } from './edge-env.js';
import { DOH_URL_DEFAULT, type EdgeClientOptions } from './egress/edge-client.js';
import { refuseUnsupported } from './idle-settings.js';
import { bucketBinding, JURISDICTION_VARIABLE, JURISDICTIONS, jurisdictionOf } from './placement.js';
import { readTenantQuotas, type TenantQuotas } from './tenant-quotas.js';

export interface EdgeSettings extends Settings {
  readonly edge: {
    /** The options of outbound clients. */
    readonly net: Settings['net'] & EdgeClientOptions;
    readonly tenants: ReadonlySet<string>;
    readonly quotas: TenantQuotas;
    /** A run without progress for this long is considered interrupted. */
    readonly quietMs: number;
    /** The model that explains comparisons if Workers AI is bound and no other model is configured. */
    readonly aiModel: string;
    /** A key for this purpose only: 32 bytes as base64url. */
    keyFor(purpose: string): string;
    /** The same key, then the one of the previous secret, if any, for opening and verifying. */
    keysFor(purpose: string): readonly string[];
  };
}

const OWN = {
  secret: 'SONDE_SECRET',
  secretPrevious: 'SONDE_SECRET_PREVIOUS',
  jurisdiction: JURISDICTION_VARIABLE,
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
/**
 * A body is in memory twice: as received, and in the call to the object that takes it. An isolate has 128 MB, so three
 * bodies of this size fit at once.
 */
const BODY_BYTES_MAX = 16 * 1024 ** 2;

export function readEdgeSettings(env: EdgeEnv): EdgeSettings {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === 'string' && !Object.values<string>(OWN).includes(name)) variables[name] = value;
  }
  const { settings, origins } = resolveSettings({ env: variables });
  refuseUnsupported(origins);
  if (settings.server.bodyBytesMax > BODY_BYTES_MAX) {
    throw invalid('server.bodyBytesMax', `at most ${BODY_BYTES_MAX} bytes are supported at the edge`);
  }
  const roots = readSecrets(env);
  refuseUnboundJurisdiction(env);
  const named = (textOf(env, OWN.tenants) ?? '').split(',').map((slug) => slug.trim());
  const bound = settings.auth.serviceTokens.map(({ tenant }) => tenant);
  const tenants = new Set([DEFAULT_TENANT, ...bound, ...named.filter((slug) => slug !== '')]);
  return {
    ...settings,
    edge: {
      net: { ...settings.net, dohUrl: textOf(env, OWN.dohUrl) ?? DOH_URL_DEFAULT },
      tenants,
      quotas: readTenantQuotas(textOf(env, OWN.quotas), tenants),
      quietMs: readQuiet(textOf(env, OWN.quietMs)),
      aiModel: textOf(env, OWN.aiModel) ?? AI_MODEL_DEFAULT,
      keyFor: (purpose) => keyOf(roots[0], purpose),
      keysFor: (purpose) => roots.map((root) => keyOf(root, purpose)),
    },
  };
}

/** The current secret comes first. */
function readSecrets(env: EdgeEnv): readonly [string, ...string[]] {
  const checked = (name: string, secret: string) => {
    if (secret.length >= SECRET_CHARS_MIN) return secret;
    throw invalid(name, `a secret of at least ${SECRET_CHARS_MIN} characters is required`);
  };
  const present = checked(OWN.secret, textOf(env, OWN.secret) ?? '');
  const previous = textOf(env, OWN.secretPrevious);
  return previous === undefined ? [present] : [present, checked(OWN.secretPrevious, previous)];
}

function keyOf(root: string, purpose: string): string {
  return toBase64Url(hkdf(sha256, utf8(root), undefined, utf8(purpose), KEY_BYTES));
}

/** A misspelled variable or a missing bucket must not cause data to be stored outside its jurisdiction. */
function refuseUnboundJurisdiction(env: EdgeEnv): void {
  const given = textOf(env, OWN.jurisdiction);
  if (given === undefined) return;
  if (jurisdictionOf(env) !== given)
    throw invalid(OWN.jurisdiction, `expected one of ${JURISDICTIONS.join(', ')}, or nothing`);
  const bucket = bucketBinding(env);
  if (env[bucket] === undefined)
    throw invalid(OWN.jurisdiction, `bind the R2 bucket of this jurisdiction as ${bucket}`);
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
