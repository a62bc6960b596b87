/** Dependencies of the routes for jobs, webhooks and tenants; absent on a host without a store for records. */
import type { AuditStore } from '../audits/index.js';
import {
  type IdempotencyStore,
  JobService,
  type Tenant,
  TenantDirectory,
  type TenantStore,
  type WebhookKey,
  type WebhookStore,
} from '../jobs/index.js';
import type { Call } from '../kernel/call.js';
import { invalidField } from '../kernel/invalid-request.js';
import { type Policy, type Redactor, type Refusal, refusalError } from '../net/index.js';
import type { TenantScope } from '../scopes.js';
import type { AppContext, AppDeps } from './app-env.js';
import { demandScope } from './auth/require-scope.js';

export interface AppRecords {
  readonly jobs: JobService;
  readonly tenants: TenantDirectory;
  readonly idempotency: Pick<IdempotencyStore, 'begin' | 'finish' | 'abandon'>;
  readonly audits: Pick<AuditStore, 'get' | 'list' | 'getPieces'>;
  readonly webhooks: {
    readonly store: Pick<WebhookStore, 'create' | 'get' | 'list' | 'remove'>;
    readonly key: WebhookKey;
    /** Why a URL is refused as a receiver, judged by its text alone. */
    refusal(url: string): { readonly rule: string; readonly message: string } | undefined;
  };
  /** Why the egress layer would refuse a URL, judged by its text alone. */
  refusal(url: string): Refusal | undefined;
  /** Redacts credentials in a value that is shown. */
  redact(value: unknown): unknown;
}

export interface RecordDeps extends Pick<AppRecords, 'idempotency' | 'audits' | 'webhooks'> {
  readonly jobs: ConstructorParameters<typeof JobService>[0];
  readonly tenants: Pick<TenantStore, 'bySlug'>;
  /** For what lives only in memory; the clock of jobs by default. */
  readonly monotonic?: () => number;
  readonly policy: Pick<Policy, 'judgeUrl'>;
  readonly redactor: Pick<Redactor, 'value'>;
}

/** Used by every engine; only the stores differ. */
export function createAppRecords(deps: RecordDeps): AppRecords {
  const { jobs, tenants, idempotency, audits, webhooks, policy, redactor } = deps;
  return {
    jobs: new JobService(jobs),
    tenants: new TenantDirectory(tenants, deps.monotonic ?? jobs.clock),
    idempotency,
    audits,
    webhooks,
    refusal(url) {
      const verdict = policy.judgeUrl(url);
      return verdict.ok ? undefined : verdict.refusal;
    },
    redact: (value) => redactor.value(value),
  };
}

/** What operations on records run on. */
export interface RecordServices extends Pick<AppDeps, 'stopping' | 'settings' | 'log'> {
  readonly records: AppRecords;
}

/** The tenant of a caller who was admitted. */
export function tenantOf(call: Call, { tenants }: AppRecords): Promise<Tenant> {
  return tenants.need(call.caller.tenant);
}

/** The caller's tenant; throws if the caller lacks the scope. */
export function tenantWith(c: AppContext, records: AppRecords, scope: TenantScope): Promise<Tenant> {
  return records.tenants.need(demandScope(c, scope).tenant);
}

/** Checks only the URL's text; a refusal after DNS or a redirect is part of the job's result. */
export function refuseUrl(url: string, { refusal, redact }: AppRecords): void {
  const refused = refusal(url);
  if (refused) throw refusalError(refused);
  if (redact(url) === url) return;
  throw invalidField(
    'body.url',
    'body.url appears to contain a credential. It would be stored, so it was refused.',
  );
}
