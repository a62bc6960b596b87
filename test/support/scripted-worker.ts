/** A worker on a queue in memory that the test fills and watches, with timers and a clock that the test moves. */
import { onTestFinished, vi } from 'vitest';
import { JobWakes } from '../../src/jobs/job-events.js';
import type { JobHandler } from '../../src/jobs/job-handler.js';
import type { ClaimedJob, ClaimRequest, JobStore, Renewal, Settlement } from '../../src/jobs/job-store.js';
import { JobWorker, type WorkerDeps } from '../../src/jobs/job-worker.js';
import { createRedactor } from '../../src/net/index.js';
import { keepingLog, type LogLine } from './keeping-log.js';

/** So long that no poll happens during a test. */
const NEVER_MS = 10 * 3_600_000;

export const LEASE_MS = 600_000;

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets everything run that does not wait for a timer. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

export function jobOf(jobId: string, change: Partial<ClaimedJob> = {}): ClaimedJob {
  return {
    jobId,
    tenantId: `tenant of ${jobId}`,
    tenant: 'acme',
    auditId: null,
    kind: 'hello',
    attempt: 1,
    maxAttempts: 3,
    payload: {},
    eventSeq: 0,
    progressPct: null,
    leaseToken: 1,
    ...change,
  };
}

/** What is queued, and what the worker has asked for and written. */
class ScriptedQueue {
  readonly ready: ClaimedJob[] = [];
  readonly suspects: ClaimedJob[] = [];
  readonly claims: (ClaimRequest & { readonly at: number })[] = [];
  readonly renewals: Renewal[] = [];
  readonly settled: Settlement[] = [];
  /** Whether claims fail. */
  isDown = false;

  add(...jobIds: string[]): void {
    this.ready.push(...jobIds.map((jobId) => jobOf(jobId)));
  }

  store(replaced: Partial<JobStore>): JobStore {
    return {
      claim: async (request: ClaimRequest) => {
        this.claims.push({ ...request, at: Date.now() });
        if (this.isDown) throw new Error('the store is down');
        const isAlone = request.which === 'alone';
        const jobs = isAlone ? this.suspects.splice(0, 1) : this.ready.splice(0, request.limit);
        return { jobs, capped: false, suspects: !isAlone && this.suspects.length > 0 };
      },
      heldBy: async () => [],
      renew: async (renewals: readonly Renewal[]) => {
        this.renewals.push(...renewals);
        return renewals.map(() => 'held' as const);
      },
      settle: async (settlements: readonly Settlement[]) => {
        this.settled.push(...settlements);
        return settlements.map(() => true);
      },
      reap: async () => [],
      pullBack: async () => 0,
      ...replaced,
    } as unknown as JobStore;
  }
}

/** The handler ends a job at once if its name starts with "short"; the test ends the others. */
class ScriptedHandler {
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
  readonly store?: Partial<JobStore>;
}

/** The worker is not started yet. */
export function openScriptedWorker({ deps, store = {}, ...options }: Choices = {}) {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ now: 0, toFake: [...toFake] });
  const queue = new ScriptedQueue();
  const handler = new ScriptedHandler();
  const lines: LogLine[] = [];
  const worker = new JobWorker({
    store: queue.store(store),
    handlers: { hello: handler.handle },
    wakes: new JobWakes(),
    log: keepingLog(lines),
    redactor: createRedactor(),
    clock: Date.now,
    random: () => 0.5,
    options: { workerId: 'w', leaseMs: LEASE_MS, concurrency: 2, pollMs: NEVER_MS, ...options },
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
      queue.add(`short ${n}`);
      worker.wake();
      await turn();
    }
    for (const list of [queue.claims, queue.settled, queue.renewals, handler.begun]) list.length = 0;
  };
  return { worker, queue, handler, lines, runShortJobs };
}
