/**
 * The audit of a site as a job: its record is stored with the audit under the job's lease, and its result is written
 * before the job ends. A start URL that can never be audited fails the job at once; one that did not respond is
 * retried with the job.
 */
import {
  type AuditLease,
  type AuditOptions,
  type AuditPorts,
  type AuditRecord,
  type AuditStore,
  completeOptions,
} from '../audits/index.js';
import { SondeError } from '../errors.js';
import type { JobHandler } from '../jobs/index.js';
import { parseInSteps, textInSteps } from '../json-pieces.js';
import { runInTurns, type Turn } from '../loop-turns.js';
import type { TenantTurns } from '../tenant-turns.js';
import { auditSite } from './audit-site.js';

export interface AuditPayload {
  readonly url: string;
  readonly options: Partial<AuditOptions>;
}

export interface AuditJobDeps {
  readonly ports: AuditPorts;
  /** Shares the process's requests between tenants. */
  readonly turns?: TenantTurns;
  readonly store: AuditStore;
  /** Shared by everything that runs in one event loop. */
  readonly turn?: Turn;
}

export function createAuditHandler({ ports, store, turns, turn }: AuditJobDeps): JobHandler {
  return async (payload, run) => {
    const { url, options } = payload as AuditPayload;
    const { jobId, leaseToken, auditId, tenantId } = run.job;
    if (auditId === null) throw new SondeError('INTERNAL', 'a job of kind audit has no audit');
    const lease = { jobId, leaseToken };
    const outcome = await auditSite(
      { url, options: completeOptions(options), tenantId },
      {
        ports: {
          ...ports,
          documents: { read: (source) => ports.documents.read({ ...source, owner: tenantId }) },
          during: run.during,
          ...(turns && { inTurn: turns.of(tenantId) }),
        },
        record: createStoredRecord({ store, turn: turn && (() => turn(tenantId)) }, lease, {
          tenantId,
          auditId,
        }),
      },
      run,
    );
    const { score, reportPart: reportRef } = outcome;
    if (!(await store.setResult(lease, { score, reportRef }))) throw leaseLost();
    return outcome;
  };
}

type AuditKey = Parameters<AuditStore['getPart']>[0];

function createStoredRecord(
  { store, turn }: { readonly store: AuditStore; readonly turn: Turn | undefined },
  lease: AuditLease,
  audit: AuditKey,
): AuditRecord {
  return {
    async put(part, value) {
      const text = await runInTurns(textInSteps(value), turn);
      if (!(await store.putPart(lease, part, text))) throw leaseLost();
    },
    async get(part) {
      const text = await store.getPart(audit, part);
      return text === undefined ? undefined : runInTurns(parseInSteps(text), turn);
    },
  };
}

function leaseLost(): SondeError {
  return new SondeError('LEASE_LOST', 'another worker has taken over this audit');
}
