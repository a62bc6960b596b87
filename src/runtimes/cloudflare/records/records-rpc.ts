/**
 * A tenant's records (jobs, audits, suites, idempotency keys, webhooks) for the Worker and the Workflows. Every call of
 * a store's port goes to the tenant's object. At the edge a tenant's id is its slug, so that the id identifies the
 * object.
 */
import type { AuditStore } from '../../../audits/index.js';
import type { PairQuery, PairSummary, SuiteStore } from '../../../compare/index.js';
import type { IdempotencyStore, JobStore, Tenant, WebhookStore } from '../../../jobs/index.js';
import { forwardMethods, methodNames } from '../../../port-methods.js';
import { SuiteRows } from '../../../stores/portable/suite-rows.js';
import { SqliteAuditStore } from '../../../stores/sqlite/sqlite-audit-store.js';
import { SqliteIdempotencyStore } from '../../../stores/sqlite/sqlite-idempotency-store.js';
import { SqliteJobStore } from '../../../stores/sqlite/sqlite-job-store.js';
import { SqliteWebhookStore } from '../../../stores/sqlite/sqlite-webhook-store.js';
import type { EdgeEnv } from '../edge-env.js';
import { objectOf } from '../placement.js';
import { unwrap, type WireResult } from '../wire-faults.js';

export interface RecordPorts {
  readonly jobs: JobStore;
  readonly audits: AuditStore;
  readonly suites: SuiteStore;
  readonly idempotency: IdempotencyStore;
  readonly webhooks: WebhookStore;
}

export type RecordStoreName = keyof RecordPorts;

export interface RecordCall {
  readonly store: RecordStoreName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface WaitedJob {
  readonly jobId: string;
  readonly after: number;
}

export interface RecordsRpc {
  record(call: RecordCall): Promise<WireResult<unknown>>;
  /** The tenant's row, created on first use. */
  tenant(slug: string): Promise<WireResult<Tenant>>;
  /** Resolves when the job has events after `after`, when it has ended, or after `ms`. */
  awaitNews(job: WaitedJob, ms: number): Promise<WireResult<void>>;
  /**
   * `own` is the pair as of its last comparison outside suites, or null. Objects of older releases do not send it, and
   * then all comparisons count as such.
   */
  pairChanged(pair: PairSummary, own?: PairSummary | null): Promise<WireResult<void>>;
  /** Reports that a pair has no comparisons any more. */
  pairGone(pairKey: string): Promise<WireResult<void>>;
  listPairs(
    limit: number,
    query?: Pick<PairQuery, 'own' | 'after'>,
  ): Promise<WireResult<readonly PairSummary[]>>;
}

export function recordsRpcOf(env: EdgeEnv, tenant: string): RecordsRpc {
  return objectOf(env, 'AuditLedger', tenant);
}

const METHODS: Readonly<Record<RecordStoreName, readonly string[]>> = {
  jobs: methodNames(SqliteJobStore.prototype),
  audits: methodNames(SqliteAuditStore.prototype),
  suites: methodNames(SuiteRows.prototype),
  idempotency: methodNames(SqliteIdempotencyStore.prototype),
  webhooks: methodNames(SqliteWebhookStore.prototype),
};

/** The ports of one tenant's records. Without a tenant, each call goes to the one that its first argument names. */
export function recordPortsOf(env: EdgeEnv, tenant?: string): RecordPorts {
  const port = <Name extends RecordStoreName>(store: Name) =>
    forwardMethods<RecordPorts[Name]>(METHODS[store], (method, args) =>
      unwrap(recordsRpcOf(env, tenant ?? tenantIn(args[0])).record({ store, method, args })),
    );
  return {
    jobs: port('jobs'),
    audits: port('audits'),
    suites: port('suites'),
    idempotency: port('idempotency'),
    webhooks: port('webhooks'),
  };
}

/** A tenant's id, a key that contains it, or the jobs of one tenant. */
function tenantIn(first: unknown): string {
  const [named] = [first].flat() as (string | { readonly tenantId: string })[];
  return typeof named === 'object' ? named.tenantId : String(named);
}
