/** What the routes about jobs, webhooks and tenants are given; absent on a host without a store of records. */
import type {
  IdempotencyStore,
  JobService,
  Tenant,
  TenantDirectory,
  WebhookKey,
  WebhookStore,
} from '../jobs/index.js';
import type { Refusal } from '../net/index.js';
import type { Scope } from '../scopes.js';
import type { AppContext } from './app-env.js';
import { demandScope } from './auth/require-scope.js';

export interface AppRecords {
  readonly jobs: JobService;
  readonly tenants: TenantDirectory;
  readonly idempotency: IdempotencyStore;
  readonly webhooks: {
    readonly store: WebhookStore;
    readonly key: WebhookKey;
    /** Why a URL's text alone is reason to refuse it as a receiver. */
    refusal(url: string): { readonly rule: string; readonly message: string } | undefined;
  };
  /** Why the door would refuse a URL, by its text alone. */
  refusal(url: string): Refusal | undefined;
  /** Hides credentials in what is shown. */
  redact(value: unknown): unknown;
}

/** The tenant that a caller with the scope acts for. */
export function tenantWith(c: AppContext, records: AppRecords, scope: Scope): Promise<Tenant> {
  return records.tenants.need(demandScope(c, scope).tenant);
}
