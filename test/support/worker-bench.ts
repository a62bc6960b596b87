/** A worker on a real queue that the test fills and watches, with timers and a clock that the test moves. */
import { onTestFinished, vi } from 'vitest';
import { JobWakes } from '../../src/jobs/job-events.js';
import type { JobHandler } from '../../src/jobs/job-handler.js';
import type { ClaimRequest, JobStore, NewJob, Renewal, Settlement } from '../../src/jobs/job-store.js';
import { JobWorker, type WorkerDeps } from '../../src/jobs/job-worker.js';
import { uniqueKey } from '../../src/jobs/unique-key.js';
import { createRedactor } from '../../src/net/index.js';
import { withMethods } from './async-port.js';
import { type InlineRecords, openInlineRecords } from './inline-records.js';
import { keepingLog, type LogLine } from './keeping-log.js';

/** So long that no poll happens during a test. */
const NEVER_MS = 10 * 3_600_000;

export const LEASE_MS = 600_000;

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets everything run that does not wait for a timer. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Replaces methods of the store, to hold up a call or lose its response. */
type Replace = (store: JobStore) => Partial<Pick<JobStore, 'claim' | 'settle'>>;

/** A queue in a SQLite file, and what the worker has asked for and written. */
class WatchedQueue {
  readonly claims: (ClaimRequest & { readonly at: number })[] = [];
  readonly renewals: Renewal[] = [];
  readonly settled: Settlement[] = [];
  /** The store itself, for what other processes do; these calls are not recorded. */
  readonly jobs: JobStore;
  readonly tenantId: string;

  constructor({ jobs, tenantId }: InlineRecords) {
    this.jobs = jobs;
    this.tenantId = tenantId;
  }

  async add(...jobIds: string[]): Promise<void> {
    await this.#enqueue(jobIds, {});
  }

  async addFor(tenantId: string, ...jobIds: string[]): Promise<void> {
    await this.#enqueue(jobIds, { tenantId });
  }

  /** Adds a job whose only attempt ended with its worker. */
  async addSuspect(jobId: string): Promise<void> {
    await this.#enqueue([jobId], { maxAttempts: 1, priority: -1 });
    const bounds = { limit: 1, leaseMs: 0, runningMax: 1_000, after: null };
    await this.jobs.claim({ workerId: 'dead', kinds: ['hello'], ...bounds });
    await this.jobs.reap({ limit: 1, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [0] });
  }

  /** Ends a job under its first lease, as another process would. */
  async endElsewhere(jobId: string, outcome: 'canceled' | 'release'): Promise<void> {
    await this.jobs.settle([{ jobId, leaseToken: 1, outcome, events: [], hadSteps: false }]);
  }

  async #enqueue(jobIds: readonly string[], fields: Partial<NewJob>): Promise<void> {
    const { tenantId } = this;
    await this.jobs.enqueue(
      jobIds.map((jobId) => ({
        ...{ jobId, tenantId, kind: 'hello', payload: {}, idempotencyKey: uniqueKey(), maxAttempts: 3 },
        ...fields,
      })),
    );
  }

  store(replace: Replace): JobStore {
    const { claim, settle } = { claim: this.jobs.claim, settle: this.jobs.settle, ...replace(this.jobs) };
    return withMethods(this.jobs, {
      claim: (request) => {
        this.claims.push({ ...request, at: Date.now() });
        return claim(request);
      },
      renew: (renewals, leaseMs) => {
        this.renewals.push(...renewals);
        return this.jobs.renew(renewals, leaseMs);
      },
      settle: (settlements) => {
        this.settled.push(...settlements);
        return settle(settlements);
      },
    });
  }
}

/** The handler ends a job at once if its name starts with "short"; the test ends the others. */
class WatchedHandler {
  readonly begun: string[] = [];
  readonly reasons: string[] = [];
  readonly #ends = new Map<string, () => void>();
  /** How long a short job takes. */
  shortMs = 0;

  readonly handle: JobHandler = (_payload, { job: { jobId }, signal }) => {
    this.begun.push(jobId);
    if (jobId.startsWith('short')) {
      vi.setSystemTime(Date.now() + this.shortMs);
      return Promise.resolve();
    }
    signal.addEventListener('abort', () => {
      this.reasons.push(`${jobId} ${(signal.reason as { code: string }).code}`);
    });
    return new Promise<void>((resolve) => void this.#ends.set(jobId, resolve));
  };

  async end(...jobIds: string[]): Promise<void> {
    for (const jobId of jobIds) this.#ends.get(jobId)?.();
    await turn();
  }
}

interface Choices extends Partial<WorkerDeps['options']> {
  readonly deps?: Partial<WorkerDeps>;
  readonly replace?: Replace;
}

/** The worker is not started yet. */
export async function openWorker({ deps, replace = () => ({}), ...options }: Choices = {}) {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ now: 0, toFake: [...toFake] });
  const records = await openInlineRecords();
  const queue = new WatchedQueue(records);
  const handler = new WatchedHandler();
  const lines: LogLine[] = [];
  const worker = new JobWorker({
    store: queue.store(replace),
    handlers: { hello: handler.handle },
    wakes: new JobWakes(),
    log: keepingLog(lines),
    redactor: createRedactor(),
    clock: Date.now,
    random: () => 0.5,
    options: {
      workerId: 'w',
      leaseMs: LEASE_MS,
      durationMs: 86_400_000,
      concurrency: 3,
      pollMs: NEVER_MS,
      ...options,
    },
    ...deps,
  });
  onTestFinished(async () => {
    const stopped = worker.stop(0);
    await pass(10_000);
    await stopped;
    vi.useRealTimers();
  });
  /** Runs eight short jobs, after which the worker claims jobs ahead; forgets what it asked for until then. */
  const runShortJobs = async (ms: number) => {
    handler.shortMs = ms;
    for (let n = 0; n < 8; n++) {
      await queue.add(`short ${n}`);
      worker.wake();
      await turn();
    }
    for (const list of [queue.claims, queue.settled, queue.renewals, handler.begun]) list.length = 0;
  };
  return { worker, queue, records, handler, lines, runShortJobs };
}
