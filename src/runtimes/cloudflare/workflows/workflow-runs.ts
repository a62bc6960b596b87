/**
 * The runs of a tenant's jobs. Each claimed job is one instance of a Workflow. Instances are created in batches, no
 * faster than the platform accepts them. If a job's lease expires, its instance is paused and resumed, which continues
 * at the interrupted step; after three resumes the job fails as interrupted. The number of resumes is stored with the
 * jobs, so that it survives an eviction. If the platform has queued an instance, only the lease is renewed; every 30
 * leases the instance is restarted, because a platform that crashed may have forgotten it.
 */
import { RUN_CANCELED, RUN_INTERRUPTED } from '../../../compare/index.js';
import { asSondeError } from '../../../errors.js';
import {
  type ClaimedJob,
  type Job,
  type JobKind,
  type JobStore,
  KIND_NAMES,
  pause,
  QUOTA_DEFAULTS,
  type Settlement,
} from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import type { SqlDatabase, SqlRow } from '../../../stores/sqlite/sql-database.js';
import { type CompareRows, endRow } from '../../../workflows/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { CreationPace } from './creation-pace.js';

export interface RunParams {
  readonly tenant: string;
  readonly job: ClaimedJob;
}

export interface WorkflowRunsDeps {
  readonly env: EdgeEnv;
  readonly database: SqlDatabase;
  readonly jobs: JobStore;
  readonly rows: CompareRows;
  readonly log: Log;
  /** A run without progress for this long is considered interrupted. */
  readonly quietMs: number;
  onEnded(jobId: string): void;
}

export const RESUMES_MAX = 3;
/** Miniflare, killed while it resumes an instance, reports it as queued and never starts it. */
const RESTART_QUEUED_LEASES = 30;
const BATCH = 20;
/** A job whose instance could not be created returns to the queue with this delay. */
const CREATE_AGAIN_MS = 10_000;
/** The records have the outcome of a run; the platform keeps instances only for manual inspection. */
const RETENTION = { successRetention: '1 day', errorRetention: '3 days' } as const;
/** One name is enough, because a job has only one run at a time. */
const WORKER_ID = 'workflow';

/** Does not include `terminated`, which is a cancellation. */
const RESTARTED: ReadonlySet<InstanceStatus['status']> = new Set(['errored', 'complete', 'unknown']);

interface FoundInstance {
  readonly instance: WorkflowInstance | undefined;
  readonly status: InstanceStatus['status'];
}

export class WorkflowRuns {
  readonly #deps: WorkflowRunsDeps;
  readonly #pace = new CreationPace();
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: WorkflowRunsDeps) {
    this.#deps = deps;
    deps.database.run(TABLE, []);
  }

  /** Starts ready jobs within the tenant's quotas. Never rejects; the alarm tries again. */
  dispatch(): Promise<void> {
    this.#turn = this.#turn
      .then(() => this.#dispatch())
      .catch((error: unknown) => this.#warn('started', error));
    return this.#turn;
  }

  /** Resumes interrupted runs, and ends those that cannot be resumed. */
  async watch(): Promise<void> {
    const { database } = this.#deps;
    database.run(FORGET, []);
    for (const row of database.all(SELECT_SILENT, [Date.now(), BATCH])) {
      await this.#check(row).catch((error: unknown) => this.#warn('checked', error));
    }
  }

  async #dispatch(): Promise<void> {
    for (;;) {
      const waitMs = this.#pace.waitMs(Date.now());
      if (waitMs > 0) await pause(waitMs);
      const limit = this.#pace.room(Date.now());
      const jobs = await this.#claim(limit);
      this.#pace.take(Date.now(), jobs.length);
      for (const workflow of new Set(jobs.map(({ kind }) => workflowOf(this.#deps.env, kind)))) {
        const own = jobs.filter(({ kind }) => workflowOf(this.#deps.env, kind) === workflow);
        await this.#begin(workflow, own);
      }
      if (jobs.length < limit) return;
    }
  }

  async #claim(limit: number): Promise<readonly ClaimedJob[]> {
    const { jobs } = await this.#deps.jobs.claim({
      workerId: WORKER_ID,
      kinds: KIND_NAMES,
      limit,
      leaseMs: this.#deps.quietMs,
      runningMax: QUOTA_DEFAULTS.jobsRunning,
      after: null,
    });
    return jobs;
  }

  async #begin(workflow: Workflow<RunParams>, jobs: readonly ClaimedJob[]): Promise<void> {
    try {
      await workflow.createBatch(jobs.map(instanceOf));
    } catch (error) {
      this.#warn('started', error);
      // An instance that was created nevertheless finds that its lease has ended, and stops.
      await this.#deps.jobs.settle(jobs.map(releasedJob));
    }
  }

  async #check(row: SqlRow): Promise<void> {
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
      await endRow(job, rows, RUN_CANCELED);
      return end('canceled');
    }
    // Its instance has what its claim returned; a new one counts from its start.
    const claimed = { ...job, tenant: String(row['slug']), ranMs: 0 };
    const found = await this.#find(claimed);
    // Above the account's limit the platform queues instances. They start later, so nothing is wrong.
    if (found.status === 'queued') {
      await jobs.renew([{ ...lease, events: [] }], quietMs);
      if (isRestartDue(job, quietMs)) await found.instance?.restart();
      return;
    }
    if (Number(row['resumed'] ?? 0) >= RESUMES_MAX) {
      await endRow(job, rows, RUN_INTERRUPTED);
      const { code, message } = JSON.parse(RUN_INTERRUPTED) as Record<string, string>;
      return end('failed', `${code}: ${message}`);
    }
    database.run(COUNT, [job.jobId, job.leaseToken]);
    await jobs.renew([{ ...lease, events: [] }], quietMs);
    await this.#resume(claimed, found);
  }

  async #find(job: ClaimedJob): Promise<FoundInstance> {
    const instance = await workflowOf(this.#deps.env, job.kind)
      .get(instanceIdOf(job))
      .catch(() => undefined);
    return { instance, status: (await instance?.status())?.status ?? 'unknown' };
  }

  async #resume(job: ClaimedJob, { instance, status }: FoundInstance): Promise<void> {
    const { env, log } = this.#deps;
    const { jobId, kind } = job;
    log.warn('a run stopped responding; restarting it', { jobId, kind, instance: instanceIdOf(job) });
    if (!instance) return void (await workflowOf(env, kind).create(instanceOf(job)));
    // An instance that has ended cannot be resumed. A new one reads back the recorded steps.
    if (RESTARTED.has(status)) return instance.restart();
    // A paused instance refuses the first call, and one that is running again the second. The other call then suffices.
    await instance.pause().catch((error: unknown) => this.#warn('paused', error));
    await instance.resume().catch((error: unknown) => this.#warn('resumed', error));
  }

  #warn(what: string, error: unknown): void {
    this.#deps.log.warn(`a run could not be ${what}`, { code: asSondeError(error).code, err: error });
  }
}

/** True once per `RESTART_QUEUED_LEASES` since the job started: at the first check after each. */
function isRestartDue({ startedAt, lockedUntil }: Job, quietMs: number): boolean {
  if (startedAt === null || lockedUntil === null) return false;
  const periods = (at: number) => Math.floor((at - startedAt) / (RESTART_QUEUED_LEASES * quietMs));
  const renewedAt = lockedUntil - quietMs;
  return periods(Date.now()) > periods(renewedAt);
}

function workflowOf(env: EdgeEnv, kind: JobKind): Workflow<RunParams> {
  return kind === 'compare' || kind === 'suite' ? env.COMPARE_WORKFLOW : env.AUDIT_WORKFLOW;
}

function instanceOf(job: ClaimedJob): WorkflowInstanceCreateOptions<RunParams> {
  return { id: instanceIdOf(job), params: { tenant: job.tenant, job }, retention: RETENTION };
}

/** Returns the job to the queue without counting the attempt. */
function releasedJob({ jobId, leaseToken }: ClaimedJob): Settlement {
  return { jobId, leaseToken, outcome: 'release', delayMs: CREATE_AGAIN_MS, events: [], hadSteps: false };
}

/** A valid and stable instance id: the id of the comparison or the job, and the number of the attempt. */
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
