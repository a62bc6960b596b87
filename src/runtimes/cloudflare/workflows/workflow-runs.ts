/**
 * The runs of a tenant's jobs: each claimed job is one instance of a Workflow. An instance whose job was not heard
 * of for the length of its lease is paused and resumed, which takes it up at the step that was cut off; after three
 * times the job fails as interrupted. How often is kept beside the jobs, so that it outlives this object.
 */
import { asSondeError } from '../../../errors.js';
import {
  type ClaimedJob,
  type JobKind,
  type JobStore,
  KIND_NAMES,
  QUOTA_DEFAULTS,
} from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import type { SqlDatabase, SqlRow } from '../../../stores/sqlite/sql-database.js';
import { CANCELED, type CompareRows, endRow, INTERRUPTED } from '../../../workflows/index.js';
import type { EdgeEnv } from '../edge-env.js';

export interface RunParams {
  /** The tenant's slug. */
  readonly tenant: string;
  readonly job: ClaimedJob;
}

export interface WorkflowRunsDeps {
  readonly env: EdgeEnv;
  readonly database: SqlDatabase;
  readonly jobs: JobStore;
  /** What jobs work at. */
  readonly rows: CompareRows;
  readonly log: Log;
  /** A run that is silent for so long has been cut off. */
  readonly quietMs: number;
  onEnded(jobId: string): void;
}

export const RESUMES_MAX = 3;
const BATCH = 20;
/** Beside the public ids no other name is needed: one run at a time has the job. */
const WORKER_ID = 'workflow';

/** Not `terminated`: that is somebody's wish. */
const RESTARTED: ReadonlySet<InstanceStatus['status']> = new Set([
  'queued',
  'errored',
  'complete',
  'unknown',
]);

export class WorkflowRuns {
  readonly #deps: WorkflowRunsDeps;
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: WorkflowRunsDeps) {
    this.#deps = deps;
    deps.database.run(TABLE, []);
  }

  /** Begins what is ready, as far as the tenant's quotas go. Never rejects: the alarm tries again. */
  dispatch(): Promise<void> {
    this.#turn = this.#turn
      .then(() => this.#dispatch())
      .catch((error: unknown) => this.#warn('begun', error));
    return this.#turn;
  }

  /** Takes up what was cut off, and ends what cannot be. */
  async watch(): Promise<void> {
    const { database } = this.#deps;
    database.run(FORGET, []);
    for (const row of database.all(SELECT_SILENT, [Date.now(), BATCH])) {
      await this.#look(row).catch((error: unknown) => this.#warn('looked after', error));
    }
  }

  async #dispatch(): Promise<void> {
    for (let found = BATCH; found === BATCH; ) {
      const { jobs } = await this.#deps.jobs.claim({
        workerId: WORKER_ID,
        kinds: KIND_NAMES,
        limit: BATCH,
        leaseMs: this.#deps.quietMs,
        runningMax: QUOTA_DEFAULTS.jobsRunning,
        after: null,
      });
      found = jobs.length;
      await Promise.all(jobs.map((job) => this.#begin(job)));
    }
  }

  async #begin(job: ClaimedJob): Promise<void> {
    const params: RunParams = { tenant: job.tenant, job };
    await workflowOf(this.#deps.env, job.kind)
      .create({ id: instanceIdOf(job), params })
      // What does not begin is silent, and found to be.
      .catch((error: unknown) => this.#warn('begun', error));
  }

  async #look(row: SqlRow): Promise<void> {
    const { jobs, rows, database, quietMs } = this.#deps;
    const job = await jobs.get(String(row['tenant_id']), String(row['job_id']));
    if (!job) return;
    const lease = { jobId: job.jobId, leaseToken: job.leaseToken };
    const { attempt, eventSeq } = job;
    const end = async (outcome: 'failed' | 'canceled', error?: string) => {
      const data = { status: outcome, attempt, ...(error !== undefined && { error }) };
      const type = 'status_changed';
      const event = { seq: eventSeq + 1, type, message: outcome, data, progressPct: null } as const;
      const settlement = { ...lease, outcome, events: [event], hadSteps: false };
      await jobs.settle([{ ...settlement, ...(error !== undefined && { error }) }]);
      this.#deps.onEnded(job.jobId);
    };
    if (job.cancelRequested) {
      await endRow(job, rows, CANCELED);
      return end('canceled');
    }
    if (Number(row['resumed'] ?? 0) >= RESUMES_MAX) {
      await endRow(job, rows, INTERRUPTED);
      return end('failed', `${INTERRUPTED.code}: ${INTERRUPTED.message}`);
    }
    database.run(COUNT, [job.jobId, job.leaseToken]);
    await jobs.renew([{ ...lease, events: [] }], quietMs);
    await this.#resume(String(row['slug']), { ...job, tenant: String(row['slug']) });
  }

  async #resume(tenant: string, job: ClaimedJob): Promise<void> {
    const { env, log } = this.#deps;
    const workflow = workflowOf(env, job.kind);
    const id = instanceIdOf(job);
    log.warn('a run stopped responding; restarting it', { jobId: job.jobId, kind: job.kind, instance: id });
    const instance = await workflow.get(id).catch(() => undefined);
    if (!instance) return void (await workflow.create({ id, params: { tenant, job } }));
    const { status } = await instance.status();
    // What is over, or never began, cannot be resumed. Begun anew it reads back the steps that are recorded.
    if (RESTARTED.has(status)) return instance.restart();
    // One that is paused already, or has just gone on, refuses; the other call is what counts then.
    await instance.pause().catch((error: unknown) => this.#warn('paused', error));
    await instance.resume().catch((error: unknown) => this.#warn('resumed', error));
  }

  #warn(what: string, error: unknown): void {
    this.#deps.log.warn(`a run could not be ${what}`, { code: asSondeError(error).code, err: error });
  }
}

function workflowOf(env: EdgeEnv, kind: JobKind): Workflow<RunParams> {
  return kind === 'compare' || kind === 'suite' ? env.COMPARE_WORKFLOW : env.AUDIT_WORKFLOW;
}

/** Legal and the same whenever it is asked for: a comparison's own id, else the job's, and which attempt it is. */
export function instanceIdOf({ kind, jobId, payload, leaseToken }: ClaimedJob): string {
  const { comparisonId = jobId } = kind === 'compare' ? (payload as { comparisonId?: string }) : {};
  const id = comparisonId.replaceAll(':', '-');
  return leaseToken === 1 ? id : `${id}-${leaseToken}`;
}

const TABLE = `CREATE TABLE IF NOT EXISTS workflow_resumes (
  job_id TEXT NOT NULL, lease_token INTEGER NOT NULL, resumed INTEGER NOT NULL, PRIMARY KEY (job_id, lease_token)
) WITHOUT ROWID`;
const COUNT = `INSERT INTO workflow_resumes (job_id, lease_token, resumed) VALUES (?, ?, 1)
  ON CONFLICT (job_id, lease_token) DO UPDATE SET resumed = resumed + 1`;
const FORGET = `DELETE FROM workflow_resumes WHERE NOT EXISTS (SELECT 1 FROM audit_jobs j
  WHERE j.job_id = workflow_resumes.job_id AND j.status = 'running')`;
const SELECT_SILENT = `SELECT j.job_id, j.tenant_id, t.slug, r.resumed FROM audit_jobs j
  JOIN tenants t ON t.id = j.tenant_id
  LEFT JOIN workflow_resumes r ON r.job_id = j.job_id AND r.lease_token = j.lease_token
  WHERE j.status = 'running' AND j.locked_until <= ? ORDER BY j.locked_until LIMIT ?`;
