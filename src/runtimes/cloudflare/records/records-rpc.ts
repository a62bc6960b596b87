/**
 * A tenant's records (jobs, audits, suites, idempotency keys, webhooks) as the Worker and the Workflows see them: every
 * call of a store's port goes to the tenant's own object. A tenant's id is its slug here, so that a caller with an
 * id knows the object.
 */
import type { AuditStore } from '../../../audits/index.js';
import type { PairSummary, SuiteStore } from '../../../compare/index.js';
import type { IdempotencyStore, JobStore, Tenant, WebhookStore } from '../../../jobs/index.js';
import { remotePort } from '../../../remote-port.js';
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
  /** A method of a store's port. */
  record(call: RecordCall): Promise<WireResult<unknown>>;
  /** The tenant's row, created on first use. */
  tenant(slug: string): Promise<WireResult<Tenant>>;
  /** Resolves when the job has events after `after`, when it has ended, or after `ms`. */
  awaitNews(job: WaitedJob, ms: number): Promise<WireResult<void>>;
  /** Whether a job of the tenant works at this comparison, by itself or as a path of a suite. */
  isWorkedAt(comparisonId: string): Promise<WireResult<boolean>>;
  /** What a pair of the tenant looks like now. */
  pairChanged(pair: PairSummary): Promise<WireResult<void>>;
  /** A pair of the tenant has no comparison any more. */
  pairGone(pairKey: string): Promise<WireResult<void>>;
  listPairs(limit: number): Promise<WireResult<readonly PairSummary[]>>;
}

export function recordsRpcOf(env: EdgeEnv, tenant: string): RecordsRpc {
  return objectOf(env, 'AuditLedger', tenant);
}

/** The ports of one tenant's records. */
export function recordPortsOf(env: EdgeEnv, tenant: string): RecordPorts {
  const port = <Name extends RecordStoreName>(store: Name) =>
    remotePort<RecordPorts[Name]>((method, args) =>
      unwrap(recordsRpcOf(env, tenant).record({ store, method, args })),
    );
  return {
    jobs: port('jobs'),
    audits: port('audits'),
    suites: port('suites'),
    idempotency: port('idempotency'),
    webhooks: port('webhooks'),
  };
}
