/**
 * Keeps the leases of a worker's jobs: one statement renews all of them, writes their events, and returns which must
 * be canceled. It runs every heartbeat for all jobs, and within 250 ms for jobs with new events.
 *
 * Only one statement runs at a time, so that the events of a job reach the store in order. If the store does not
 * respond, the statement is retried at most once per second. A job whose lease must have expired in the meantime is
 * lost, because another worker may have it.
 */
import { asSondeError } from '../errors.js';
import type { Log } from '../log.js';
import type { HeldJob } from './held-job.js';
import type { JobWakes } from './job-events.js';
import { heartbeatMs, JOB_LIMITS } from './job-limits.js';
import type { JobStore, RenewOutcome } from './job-store.js';

export interface LeaseKeeperDeps {
  readonly store: Pick<JobStore, 'renew'>;
  readonly leaseMs: number;
  /** A monotonic clock. */
  readonly clock: () => number;
  readonly log: Log;
  readonly wakes: JobWakes;
  onLost(held: HeldJob): void;
}

const RETRY_MS = 1_000;

export class LeaseKeeper {
  readonly #deps: LeaseKeeperDeps;
  readonly #held = new Map<string, HeldJob>();
  readonly #everyMs: number;
  #beat: ReturnType<typeof setInterval> | undefined;
  #flush: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #allDue = false;
  #renewing: Promise<void> | undefined;

  constructor(deps: LeaseKeeperDeps) {
    this.#deps = deps;
    this.#everyMs = heartbeatMs(deps.leaseMs);
  }

  get size(): number {
    return this.#held.size;
  }

  find(jobId: string): HeldJob | undefined {
    return this.#held.get(jobId);
  }

  add(held: HeldJob): void {
    // Claimed again by the same worker, which has not yet noticed that it lost the old lease.
    const before = this.#held.get(held.job.jobId);
    this.#held.set(held.job.jobId, held);
    if (before) this.#lose(before);
    this.#beat ??= setInterval(() => this.#renew(true), this.#everyMs);
  }

  drop(held: HeldJob): void {
    const { jobId } = held.job;
    if (this.#held.get(jobId) === held) this.#held.delete(jobId);
    if (this.#held.size > 0) return;
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    this.#beat = undefined;
    this.#retry = undefined;
  }

  /** A job has new events. */
  flushSoon(): void {
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined;
      this.#renew(false);
    }, JOB_LIMITS.flushMs);
  }

  /** Renews all leases now. */
  check(): void {
    this.#renew(true);
  }

  async stop(): Promise<void> {
    clearInterval(this.#beat);
    clearTimeout(this.#flush);
    this.#held.clear();
    await this.#renewing;
    clearTimeout(this.#retry);
  }

  #renew(all: boolean): void {
    this.#allDue ||= all;
    if (this.#renewing !== undefined) return this.#renewNext();
    this.#renewing = this.#renewDue().finally(() => {
      this.#renewing = undefined;
    });
  }

  /** Renews after the statement in flight. */
  #renewNext(): void {
    if (!this.#allDue) this.flushSoon();
    else void this.#renewing?.then(() => this.#allDue && this.#renew(true));
  }

  async #renewDue(): Promise<void> {
    const all = this.#allDue;
    this.#allDue = false;
    const jobs = [...this.#held.values()].filter(
      ({ state, stopped, buffer }) =>
        stopped !== 'lost' &&
        ((state === 'running' && (all || !buffer.isEmpty)) || (state === 'waiting' && all)),
    );
    for (let at = 0; at < jobs.length; at += JOB_LIMITS.claimMax) {
      await this.#send(jobs.slice(at, at + JOB_LIMITS.claimMax));
    }
  }

  async #send(jobs: readonly HeldJob[]): Promise<void> {
    const { store, leaseMs, clock, log } = this.#deps;
    const sentAt = clock();
    const renewals = jobs.map(({ job: { jobId, leaseToken }, buffer }) => ({
      jobId,
      leaseToken,
      events: [...buffer.take()],
    }));
    try {
      const outcomes = await store.renew(renewals, leaseMs);
      for (const [index, held] of jobs.entries()) {
        held.buffer.confirm(renewals[index]?.events.at(-1)?.seq ?? 0);
        this.#apply(held, outcomes[index] ?? 'lost', sentAt);
      }
    } catch (thrown) {
      log.warn('leases could not be renewed', { code: asSondeError(thrown).code, jobs: jobs.length });
      for (const held of jobs) if (clock() >= held.leaseUntil) this.#apply(held, 'lost', sentAt);
      if (this.#everyMs > RETRY_MS) this.#retryLater();
    }
  }

  /** At most one retry is pending, however many statements fail; heartbeats continue. */
  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#renew(true);
    }, RETRY_MS);
  }

  #apply(held: HeldJob, outcome: RenewOutcome, sentAt: number): void {
    // If the job was settled while the statement was in flight, its lease is gone as intended.
    if (held.state !== 'running' && held.state !== 'waiting') return;
    if (outcome === 'lost') return this.#lose(held);
    held.leaseUntil = sentAt + this.#deps.leaseMs;
    if (outcome === 'cancel') held.stop('cancel');
    this.#deps.wakes.wake(held.job.jobId);
  }

  #lose(held: HeldJob): void {
    held.stop('lost');
    this.#deps.onLost(held);
  }
}
