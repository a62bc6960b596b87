/**
 * A worker that claims jobs, runs them and settles them.
 *
 * The worker is `idle`, `open` (after `start`), `closing` (after `stop`) or `closed`. While it is open, there may be
 * ready jobs after a hint, after every poll and after a claim that found some. After an empty claim the worker waits
 * for the next of these, or for one of its jobs to end if a tenant's limit was the reason. While there may be ready
 * jobs and there is room for them, one claim is in flight, never two.
 *
 * A job is `waiting` (claimed, no free slot yet), `running`, `settling` (its handler has ended, its end is being
 * written) or `over`. It can leave early:
 * - a waiting job is released if it has waited too long or the worker closes, so that another worker can claim it;
 * - a lost job (it has another holder) is dropped at once if it is waiting; if it is running, its handler is aborted,
 *   and nothing more is written for it;
 * - the handler of a canceled job is aborted; if it does not end in time, the job is settled without it.
 *
 * A slot is free only when the handler waits (see `job-slots.ts`, which shares slots between tenants) or has actually
 * ended, so a worker never exceeds its concurrency. A claim asks for jobs within the share of each tenant. If a claim
 * fails, it is unknown which jobs it took: for a while the worker asks the store which jobs it holds, and releases those
 * it did not expect.
 *
 * A suspect, whose workers died, runs alone: no other job of this worker is running, waiting or unsettled, so that it
 * cannot take down another job. An idle worker claims suspects first; a busy one stops claiming now and then to become
 * idle, if they have to wait.
 *
 * A job that runs for too long, over all its attempts, is aborted and fails.
 *
 * On closing, the worker stops claiming and releases waiting jobs. Running jobs may finish within the drain time, then
 * they are aborted. Those that still run are released too, to continue elsewhere from their last recorded step.
 */

import { asSondeError } from '../errors.js';
import { LogLimit, POLL_FAULT_LOG_MS } from '../log-limit.js';
import type { Redactor } from '../net/index.js';
import { HeldJob, type HeldJobDeps } from './held-job.js';
import type { JobHandlers } from './job-handler.js';
import { type JobKind, KIND_NAMES } from './job-kinds.js';
import { JOB_LIMITS } from './job-limits.js';
import { JobPace } from './job-pace.js';
import { JobReaper, type ReaperDeps } from './job-reaper.js';
import { JobSlots } from './job-slots.js';
import type { ClaimedJob, JobHints, JobStore, Settlement, WorkerShare } from './job-store.js';
import { LeaseKeeper } from './lease-keeper.js';
import { remainingMs } from './run-held-job.js';
import { type Ending, releaseOf, settlementOf } from './settle-job.js';
import { SettlementWriter } from './settlement-writer.js';
import { QUOTA_DEFAULTS } from './tenant.js';

export interface WorkerOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly durationMs: number;
}

export interface WorkerDeps extends ReaperDeps {
  readonly store: JobStore;
  readonly handlers: JobHandlers;
  readonly hints?: JobHints;
  readonly redactor: Redactor;
  /** A monotonic clock in milliseconds; only differences matter. */
  readonly clock: () => number;
  readonly options: WorkerOptions;
  onSettled?(settlement: Settlement): void;
}

const STALE_MS = 2_000;
const STOP_GRACE_MS = 2_000;
/**
 * How long suspects wait for an idle worker before a busy one makes room, for how long it does so, and how often it
 * tries: long jobs must not keep it from claiming. Then how long a suspect keeps others out.
 */
const SUSPECTS = { waitMs: 5_000, roomMs: 10_000, everyMs: 60_000, aloneMs: 60_000 } as const;
/** A stalled database may execute a claim long after the worker gave up on it. */
const LOST_CLAIM_MS = 60_000;

export class JobWorker {
  readonly #deps: WorkerDeps;
  readonly #faultLog = new LogLimit({ everyMs: POLL_FAULT_LOG_MS });
  readonly #keeper: LeaseKeeper;
  readonly #pace = new JobPace();
  readonly #settlements: SettlementWriter;
  readonly #waiting: HeldJob[] = [];
  readonly #running = new Map<HeldJob, Promise<void>>();
  readonly #slots: JobSlots;
  readonly #kinds: readonly JobKind[];
  readonly #heldJobDeps: HeldJobDeps;
  readonly #reaper: JobReaper;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #state: 'idle' | 'open' | 'closing' | 'closed' = 'idle';
  #mayHaveReady = false;
  /** There may be ready jobs of tenants of which this worker holds none. */
  #mayHaveGuests = false;
  #guestTimer: ReturnType<typeof setTimeout> | undefined;
  #claimedAt = Number.NEGATIVE_INFINITY;
  /** The last claim skipped jobs of a tenant that reached its limit of running jobs. */
  #capped = false;
  /** Since when suspects are known to be waiting. */
  #suspectsSince: number | undefined;
  /** The suspect that is running alone. */
  #alone: HeldJob | undefined;
  /** Until then the store may have leases of this worker from a lost claim. */
  #lostClaimUntil = Number.NEGATIVE_INFINITY;
  #claiming: Promise<void> | undefined;
  #after: string | null = null;
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    const { handlers, options } = deps;
    const { leaseMs, durationMs } = options;
    this.#slots = new JobSlots(options.concurrency, () => this.#begin());
    this.#kinds = KIND_NAMES.filter((kind) => handlers[kind] !== undefined);
    this.#settlements = new SettlementWriter({ ...deps, leaseMs });
    this.#keeper = new LeaseKeeper({ ...deps, leaseMs, onLost: (held) => this.#lose(held) });
    this.#heldJobDeps = {
      ...{ ...deps, leaseMs, durationMs },
      during: (held, wait) => this.#slots.during(held, wait),
      onEvent: () => this.#keeper.flushSoon(),
    };
    this.#reaper = new JobReaper(deps);
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async start(): Promise<void> {
    if (this.#state !== 'idle') throw new Error('a worker can be started only once');
    this.#state = 'open';
    this.#unsubscribe = await this.#deps.hints?.subscribe((hint) =>
      hint.kind === 'ready' ? this.wake() : this.checkLease(hint.jobId),
    );
    // Stopped in the meantime.
    if (!this.#isOpen()) return this.#unsubscribe?.();
    this.#poll();
    this.#reaper.start();
  }

  /** There may be ready jobs. */
  wake(): void {
    this.#mayHaveReady = true;
    this.#mayHaveGuests = true;
    this.#claim();
  }

  async stop(drainMs: number): Promise<void> {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    this.#state = 'closing';
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#guestTimer);
    this.#reaper.stop();
    await this.#unsubscribe?.();
    await this.#claiming;
    this.#releaseWaiting(() => true);
    await this.#waitUntilEnded(drainMs);
    for (const held of this.#running.keys()) held.stop('stop');
    await this.#waitUntilEnded(STOP_GRACE_MS);
    for (const held of this.#running.keys()) this.#release(held);
    await this.#waitUntilSettled(STOP_GRACE_MS);
    this.#state = 'closed';
    this.#settlements.close();
    await this.#keeper.stop();
  }

  /** The job may have been canceled: checks its lease now instead of at the next heartbeat. */
  checkLease(jobId: string): void {
    if (this.#keeper.find(jobId)) this.#keeper.check();
  }

  #poll(): void {
    this.#releaseWaiting((held) => this.#deps.clock() - held.heldSince > STALE_MS);
    this.wake();
    // Between half and one and a half times the interval, so that workers do not poll in step.
    const { random, options } = this.#deps;
    this.#pollTimer = setTimeout(() => this.#poll(), options.pollMs * (0.5 + random()));
  }

  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #room(): number {
    const { concurrency } = this.#deps.options;
    const ahead = this.#ahead();
    const held = this.#waiting.length + this.#running.size;
    // Jobs ahead are refilled only when half are used: a claim for every job that ends would cost too much.
    if (this.#waiting.length > ahead / 2 || this.#settlements.pending > 2 * JOB_LIMITS.claimMax) return 0;
    return Math.min(JOB_LIMITS.claimMax, concurrency + ahead - held);
  }

  /** How many jobs to claim ahead of time. */
  #ahead(): number {
    const { concurrency } = this.#deps.options;
    return this.#pace.ahead(concurrency, JOB_LIMITS.aheadMs, JOB_LIMITS.claimMax - concurrency);
  }

  #isIdle(): boolean {
    return this.#running.size + this.#waiting.length + this.#settlements.pending === 0;
  }

  #claim(): void {
    if (!this.#isOpen() || this.#claiming !== undefined || this.#isAlone()) return;
    const alone = this.#wantsAlone();
    if (alone) this.#releaseWaiting(() => true);
    if (alone && !this.#isIdle()) return;
    const limit = alone ? 1 : this.#mayHaveReady ? Math.max(0, this.#room()) : 0;
    if (limit === 0 && !this.#mayClaimGuests()) return;
    this.#claiming = this.#claimOnce(limit, alone ? 'alone' : 'shared')
      .catch((thrown: unknown) => {
        // The next poll retries.
        this.#mayHaveReady = false;
        this.#mayHaveGuests = false;
        this.#lostClaimUntil = this.#deps.clock() + LOST_CLAIM_MS;
        const { code } = asSondeError(thrown);
        const repeated = this.#faultLog.pass(code);
        if (repeated) this.#deps.log.warn('jobs could not be claimed', { code, ...repeated });
      })
      .finally(() => {
        this.#claiming = undefined;
        this.#claim();
      });
  }

  #wantsAlone(): boolean {
    if (this.#suspectsSince === undefined) return false;
    const waitedMs = this.#deps.clock() - this.#suspectsSince - SUSPECTS.waitMs;
    return this.#isIdle() || (waitedMs > 0 && waitedMs % SUSPECTS.everyMs < SUSPECTS.roomMs);
  }

  /** A suspect that has survived for a while no longer keeps others out. */
  #isAlone(): boolean {
    return this.#alone !== undefined && this.#deps.clock() - this.#alone.heldSince < SUSPECTS.aloneMs;
  }

  /** A worker without room claims for guests, as often as is worth a statement. */
  #mayClaimGuests(): boolean {
    if (!this.#mayHaveGuests || this.#guests(0) === 0) return false;
    const waitMs = this.#claimedAt + JOB_LIMITS.guestsEveryMs - this.#deps.clock();
    if (waitMs <= 0) return true;
    this.#guestTimer ??= setTimeout(() => {
      this.#guestTimer = undefined;
      this.#claim();
    }, waitMs);
    return false;
  }

  /** How many guests to claim besides `limit` other jobs. */
  #guests(limit: number): number {
    return Math.max(0, this.#slots.guestRoom(this.#waiting.length + limit));
  }

  #share(limit: number): WorkerShare {
    const held: Record<string, number> = {};
    for (const { job } of [...this.#waiting, ...this.#running.keys()])
      held[job.tenantId] = (held[job.tenantId] ?? 0) + 1;
    return { held, heldMax: this.#slots.share + this.#ahead(), guests: this.#guests(limit) };
  }

  async #claimOnce(limit: number, which: 'shared' | 'alone'): Promise<void> {
    const { store, options, clock } = this.#deps;
    if (limit > 0) this.#mayHaveReady = false;
    this.#mayHaveGuests = false;
    const claimedAt = clock();
    this.#claimedAt = claimedAt;
    if (claimedAt < this.#lostClaimUntil) await this.#releaseUnknown();
    const { jobs, capped, suspects } = await store.claim({
      workerId: options.workerId,
      kinds: this.#kinds,
      limit,
      leaseMs: options.leaseMs,
      runningMax: QUOTA_DEFAULTS.jobsRunning,
      after: this.#after,
      which,
      share: this.#share(limit),
    });
    this.#after = jobs.at(-1)?.tenantId ?? this.#after;
    this.#capped = capped;
    this.#suspectsSince = suspects ? (this.#suspectsSince ?? clock()) : undefined;
    if (jobs.length > 0 || which === 'alone') this.#mayHaveReady ||= limit > 0;
    this.#mayHaveGuests ||= jobs.length > 0;
    for (const job of jobs) this.#waiting.push(this.#hold(job, claimedAt));
    if (which === 'alone') this.#alone = this.#waiting[0];
    this.#begin();
  }

  #hold(job: ClaimedJob, claimedAt: number): HeldJob {
    const held = new HeldJob(job, claimedAt, this.#heldJobDeps);
    this.#keeper.add(held);
    return held;
  }

  /** Releases the jobs of a claim whose response was lost. */
  async #releaseUnknown(): Promise<void> {
    const { store, options, clock } = this.#deps;
    for (const job of await store.heldBy(options.workerId)) {
      if (this.#keeper.find(job.jobId)?.job.leaseToken === job.leaseToken) continue;
      this.#release(this.#hold(job, clock()));
    }
  }

  #begin(): void {
    while (this.#isOpen()) {
      const held = this.#slots.startNext(this.#waiting);
      if (!held) break;
      this.#running.set(held, this.#run(held));
    }
    this.#claim();
  }

  async #run(held: HeldJob): Promise<void> {
    const { handlers, clock, options } = this.#deps;
    const { kind, attempt } = held.job;
    const startedAt = clock();
    held.state = 'running';
    const data = { status: 'running', attempt, worker: options.workerId };
    held.emit({ type: 'status_changed', message: 'running', data, isTrusted: true });
    const cancelTimers = this.#watch(held);
    let ending: Ending;
    try {
      // Never undefined: only kinds with a handler are claimed.
      ending = { kind: 'returned', result: await handlers[kind]?.(held.job.payload, held) };
    } catch (thrown) {
      ending = { kind: 'threw', thrown };
    }
    cancelTimers();
    const ranMs = clock() - startedAt;
    this.#pace.add(kind, ranMs);
    this.#running.delete(held);
    this.#slots.end(held);
    this.#alone = undefined;
    if (held.state === 'running') void this.#settle(held, ending, ranMs);
    this.#begin();
  }

  /** Stops an overdue job. Settles it, or a canceled one, without its handler if that does not end in time. */
  #watch(held: HeldJob): () => void {
    const leftMs = remainingMs(held.job, this.#deps.options.durationMs);
    let timer = setTimeout(() => held.stop('overdue'), leftMs);
    held.onStop = (reason) => {
      clearTimeout(timer);
      this.#slots.stopped(held);
      if (reason !== 'cancel' && reason !== 'overdue') return;
      timer = setTimeout(() => {
        if (held.state === 'running') void this.#settle(held, { kind: 'threw', thrown: undefined }, 0);
      }, JOB_LIMITS.graceMs);
    };
    return () => clearTimeout(timer);
  }

  async #settle(held: HeldJob, ending: Ending, ranMs: number): Promise<void> {
    held.state = 'settling';
    if (held.stopped === 'lost') return this.#drop(held);
    await this.#settlements.write(held, { ...settlementOf(held, ending, this.#deps), ranMs });
    this.#drop(held);
    this.#mayHaveReady ||= this.#capped;
    this.#mayHaveGuests ||= this.#capped;
    this.#claim();
  }

  #release(held: HeldJob): void {
    held.state = 'settling';
    void this.#settlements.write(held, releaseOf(held)).then(() => this.#drop(held));
  }

  #lose(held: HeldJob): void {
    this.#deps.log.warn('a lease was lost', { jobId: held.job.jobId, kind: held.job.kind });
    if (held.state !== 'waiting') return;
    this.#waiting.splice(this.#waiting.indexOf(held), 1);
    this.#drop(held);
  }

  #drop(held: HeldJob): void {
    held.state = 'over';
    this.#keeper.drop(held);
  }

  #releaseWaiting(which: (held: HeldJob) => boolean): void {
    for (const held of this.#waiting.splice(0)) {
      if (which(held)) this.#release(held);
      else this.#waiting.push(held);
    }
  }

  async #waitUntilEnded(ms: number): Promise<void> {
    await within(ms, Promise.all(this.#running.values()));
  }

  async #waitUntilSettled(ms: number): Promise<void> {
    const until = this.#deps.clock() + ms;
    while (this.#settlements.pending > 0 && this.#deps.clock() < until)
      await within(10, new Promise(() => undefined));
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
