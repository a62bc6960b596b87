/**
 * A worker: takes jobs, runs them, and lets go of them.
 *
 * The worker itself is `idle`, `open` (from `start`), `closing` (from `stop`) and `closed`. While open it is
 * `hungry` or not. Hungry means that there may be ready jobs: after a hint, after every poll, after a claim that
 * found some and after the reaper returned some. A claim that finds nothing ends the hunger, until one of our
 * jobs ends if it was for a tenant's cap. While it is hungry and has room, one claim is under way, never two.
 *
 * A job goes through `waiting` (claimed, no free place yet), `running`, `settling` (its handler has ended, its
 * end is being written) and `over`. Leaving early:
 * - a waiting job is released when it has waited too long or the worker closes: others may have it;
 * - a lost job (its lease is another's) is dropped at once when it waits; when it runs its handler is told, and
 *   nothing more is written for it;
 * - a canceled job's handler is told; if it does not end in time, the job is settled without it.
 *
 * Its place is free again only when the handler has really ended, so a worker never does more at once than it
 * was told. Settlements gather into one statement while another is under way. If the store does not answer
 * they are repeated, which is safe, until the lease must have been given to another.
 *
 * Closing: no more claims; what waits is released; what runs may finish within the drain, is then told to stop,
 * and what still runs is released too, to be continued elsewhere from its last recorded step.
 */
import { asSondeError } from '../errors.js';
import type { Log } from '../log.js';
import type { Redactor } from '../net/index.js';
import { BatchCalls } from './batch-calls.js';
import { HeldJob, type HeldJobParts } from './held-job.js';
import type { Job } from './job.js';
import type { JobWakes } from './job-events.js';
import type { JobHandlers } from './job-handler.js';
import { KIND_NAMES } from './job-kinds.js';
import { JOB_LIMITS } from './job-limits.js';
import { JobPace } from './job-pace.js';
import type { JobHint, JobHints, JobStore, Reaped, Settlement } from './job-store.js';
import { LeaseKeeper } from './lease-keeper.js';
import { type Ending, releaseOf, settlementOf } from './settle-job.js';
import { QUOTA_DEFAULTS } from './tenant.js';

export interface WorkerOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly retentionMs: number;
}

export interface WorkerParts {
  readonly store: JobStore;
  readonly handlers: JobHandlers;
  readonly hints?: JobHints;
  readonly wakes: JobWakes;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: () => number;
  /** Told of each job that the reaper ended in its holder's place, so that what the job worked at ends too. */
  onReaped?(job: Job): Promise<void>;
  readonly options: WorkerOptions;
}

const STALE_MS = 2_000;
const STOP_GRACE_MS = 2_000;
const RETRY_MS = { first: 50, max: 2_000 } as const;
const PRUNE_EVERY_REAPS = 60;

export class JobWorker {
  readonly #parts: WorkerParts;
  readonly #keeper: LeaseKeeper;
  readonly #pace = new JobPace();
  readonly #settling: BatchCalls<Settlement, boolean>;
  readonly #waiting: HeldJob[] = [];
  readonly #running = new Map<HeldJob, Promise<void>>();
  readonly #kinds: ReturnType<typeof kindsOf>;
  readonly #heldParts: HeldJobParts;
  readonly #timers = new Map<'poll' | 'reap', ReturnType<typeof setTimeout>>();
  #state: 'idle' | 'open' | 'closing' | 'closed' = 'idle';
  #hungry = false;
  /** The last claim left jobs of a tenant that has as many running as it may. */
  #capped = false;
  #claiming: Promise<void> | undefined;
  #after: string | null = null;
  #unsettled = 0;
  #reaps = 0;
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    const { store, redactor, options, clock, log, wakes, handlers } = parts;
    this.#kinds = kindsOf(handlers);
    this.#settling = new BatchCalls(JOB_LIMITS.claimMax, (settlements) => store.settle(settlements));
    this.#keeper = new LeaseKeeper({
      store,
      leaseMs: options.leaseMs,
      clock,
      log,
      wakes,
      onLost: (held) => this.#lose(held),
    });
    this.#heldParts = { store, redactor, leaseMs: options.leaseMs, onNews: () => this.#keeper.news() };
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async start(): Promise<void> {
    if (this.#state !== 'idle') throw new Error('a worker starts once');
    this.#state = 'open';
    this.#unsubscribe = await this.#parts.hints?.subscribe((hint) => this.#onHint(hint));
    this.#poll();
    this.#schedule('reap', () => this.#reap());
  }

  /** There may be ready jobs. */
  wake(): void {
    this.#hungry = true;
    this.#claim();
  }

  async stop(drainMs: number): Promise<void> {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    this.#state = 'closing';
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#unsubscribe?.();
    await this.#claiming;
    this.#releaseWaiting(() => true);
    await this.#ended(drainMs);
    for (const held of this.#running.keys()) held.stop('stop');
    await this.#ended(STOP_GRACE_MS);
    for (const held of this.#running.keys()) this.#release(held);
    await this.#settledWithin(STOP_GRACE_MS);
    this.#state = 'closed';
    await this.#keeper.stop();
  }

  #onHint(hint: JobHint): void {
    if (hint.kind === 'ready') this.wake();
    else this.heed(hint.jobId);
  }

  /** Somebody may want this job stopped: its lease is asked about now, not at the next heartbeat. */
  heed(jobId: string): void {
    if (this.#keeper.find(jobId)) this.#keeper.check();
  }

  #poll(): void {
    this.#releaseWaiting((held) => this.#parts.clock() - held.heldSince > STALE_MS);
    this.wake();
    this.#schedule('poll', () => this.#poll());
  }

  /** Between half and one and a half of its time, so that workers do not ask in step. */
  #schedule(name: 'poll' | 'reap', act: () => void): void {
    const { random, options } = this.#parts;
    const everyMs = name === 'poll' ? options.pollMs : JOB_LIMITS.reapEveryMs;
    if (this.#state === 'open') this.#timers.set(name, setTimeout(act, everyMs * (0.5 + random())));
  }

  #room(): number {
    const { concurrency } = this.#parts.options;
    const ahead = this.#pace.ahead(concurrency, JOB_LIMITS.aheadMs, JOB_LIMITS.claimMax - concurrency);
    const has = this.#waiting.length + this.#running.size;
    // What is taken ahead is fetched in halves: a claim for every job that ends would cost more than it brings.
    if (this.#waiting.length > ahead / 2 || this.#unsettled > 2 * JOB_LIMITS.claimMax) return 0;
    return Math.min(JOB_LIMITS.claimMax, concurrency + ahead - has);
  }

  #claim(): void {
    if (this.#state !== 'open' || !this.#hungry || this.#claiming !== undefined) return;
    const limit = this.#room();
    if (limit <= 0) return;
    this.#claiming = this.#claimOnce(limit)
      .catch((thrown: unknown) => {
        // The next poll tries again.
        this.#hungry = false;
        this.#parts.log.warn('jobs could not be claimed', { code: asSondeError(thrown).code });
      })
      .finally(() => {
        this.#claiming = undefined;
        this.#claim();
      });
  }

  async #claimOnce(limit: number): Promise<void> {
    const { store, options, clock } = this.#parts;
    this.#hungry = false;
    const claimedAt = clock();
    const { jobs, capped } = await store.claim({
      workerId: options.workerId,
      kinds: this.#kinds,
      limit,
      leaseMs: options.leaseMs,
      runningMax: QUOTA_DEFAULTS.jobsRunning,
      after: this.#after,
    });
    this.#after = jobs.at(-1)?.tenantId ?? this.#after;
    this.#capped = capped;
    if (jobs.length > 0) this.#hungry = true;
    for (const job of jobs) {
      const held = new HeldJob(job, claimedAt, this.#heldParts);
      this.#keeper.add(held);
      this.#waiting.push(held);
    }
    this.#begin();
  }

  #begin(): void {
    while (this.#state === 'open' && this.#running.size < this.#parts.options.concurrency) {
      const held = this.#waiting.shift();
      if (!held) break;
      this.#running.set(held, this.#run(held));
    }
    this.#claim();
  }

  async #run(held: HeldJob): Promise<void> {
    const { handlers, clock, options } = this.#parts;
    const { kind, attempt } = held.job;
    const startedAt = clock();
    held.state = 'running';
    const data = { status: 'running', attempt, worker: options.workerId };
    held.tell({ type: 'status_changed', message: 'running', data, ours: true });
    const overdue = this.#watchGrace(held);
    let ending: Ending;
    try {
      // Never undefined: only kinds with a handler are claimed.
      ending = { kind: 'returned', result: await handlers[kind]?.(held.job.payload, held) };
    } catch (thrown) {
      ending = { kind: 'threw', thrown };
    }
    overdue();
    this.#pace.add(kind, clock() - startedAt);
    this.#running.delete(held);
    if (held.state === 'running') void this.#settle(held, ending);
    this.#begin();
  }

  /** Settles without its handler a job whose handler does not heed that it was canceled. */
  #watchGrace(held: HeldJob): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    held.onStop = (reason) => {
      if (reason !== 'cancel') return;
      timer = setTimeout(() => {
        if (held.state === 'running') void this.#settle(held, { kind: 'threw', thrown: undefined });
      }, JOB_LIMITS.graceMs);
    };
    return () => clearTimeout(timer);
  }

  async #settle(held: HeldJob, ending: Ending): Promise<void> {
    held.state = 'settling';
    if (held.stopped === 'lost') return this.#drop(held);
    const { redactor, random } = this.#parts;
    const backoff = { firstMs: JOB_LIMITS.backoffFirstMs, maxMs: JOB_LIMITS.backoffMaxMs };
    const settlement = settlementOf(held, ending, { redactor, backoff, random });
    this.#unsettled++;
    await this.#write(held, { ...settlement, hadSteps: held.mayHaveSteps });
    this.#unsettled--;
    this.#hungry ||= this.#capped;
    this.#claim();
  }

  #release(held: HeldJob): void {
    held.state = 'settling';
    this.#unsettled++;
    void this.#write(held, releaseOf(held)).then(() => {
      this.#unsettled--;
    });
  }

  async #write(held: HeldJob, settlement: Settlement): Promise<void> {
    const { log, clock, wakes, options } = this.#parts;
    const { jobId } = held.job;
    for (let delayMs: number = RETRY_MS.first; ; delayMs = Math.min(delayMs * 2, RETRY_MS.max)) {
      try {
        const taken = await this.#settling.call(settlement);
        if (!taken) log.warn('a job was not settled: its lease is lost', { jobId });
        wakes.wake(jobId);
        break;
      } catch (thrown) {
        const late = clock() > held.leaseUntil + options.leaseMs || this.#state === 'closed';
        log.warn('a job could not be settled', { jobId, code: asSondeError(thrown).code, givenUp: late });
        if (late) break;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    this.#drop(held);
  }

  #lose(held: HeldJob): void {
    this.#parts.log.warn('a lease was lost', { jobId: held.job.jobId, kind: held.job.kind });
    if (held.state !== 'waiting') return;
    this.#waiting.splice(this.#waiting.indexOf(held), 1);
    this.#drop(held);
  }

  #drop(held: HeldJob): void {
    held.state = 'over';
    this.#keeper.drop(held);
  }

  #releaseWaiting(which: (held: HeldJob) => boolean): void {
    const stale = this.#waiting.filter(which);
    for (const held of stale) {
      this.#waiting.splice(this.#waiting.indexOf(held), 1);
      this.#release(held);
    }
  }

  #reap(): void {
    void this.#reapAll()
      .catch((thrown: unknown) =>
        this.#parts.log.warn('expired leases could not be reaped', { code: asSondeError(thrown).code }),
      )
      .finally(() => this.#schedule('reap', () => this.#reap()));
  }

  async #reapAll(): Promise<void> {
    const { store, random, log, options, wakes } = this.#parts;
    const { reapMax, backoffFirstMs, backoffMaxMs, pruneMax } = JOB_LIMITS;
    for (let found: number = reapMax; found === reapMax && this.#state === 'open'; ) {
      const fractions = Array.from({ length: reapMax }, random);
      const reaped = await store.reap({ limit: reapMax, backoffFirstMs, backoffMaxMs, fractions });
      found = reaped.length;
      for (const each of reaped) {
        const { jobId, kind, status } = each;
        log.warn('a lease has expired', { jobId, kind, status });
        wakes.wake(jobId);
        if (status !== 'queued') await this.#tellEnded(each);
      }
    }
    if (this.#reaps++ % PRUNE_EVERY_REAPS === 0) {
      await store.prune({ olderThanMs: options.retentionMs, limit: pruneMax });
    }
  }

  async #tellEnded({ tenantId, jobId }: Reaped): Promise<void> {
    const { onReaped, store } = this.#parts;
    const job = onReaped && (await store.get(tenantId, jobId));
    if (job) await onReaped(job);
  }

  async #ended(ms: number): Promise<void> {
    if (this.#running.size > 0) await within(ms, Promise.all(this.#running.values()));
  }

  async #settledWithin(ms: number): Promise<void> {
    const until = this.#parts.clock() + ms;
    while (this.#unsettled > 0 && this.#parts.clock() < until) await within(10, new Promise(() => undefined));
  }
}

function kindsOf(handlers: JobHandlers) {
  return KIND_NAMES.filter((kind) => handlers[kind] !== undefined);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
