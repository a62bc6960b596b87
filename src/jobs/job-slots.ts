/**
 * Decides which of a worker's claimed jobs start, and which continue after a wait.
 *
 * A job needs a slot to work, and there are as many as the worker's concurrency. While a job waits for a target or a
 * pause (`during`), it keeps its lease but needs no slot. So tenants cannot block each other:
 * - a tenant can start all jobs but one, even if it is alone, so that another tenant never waits for one of them to end;
 * - a tenant that has started none is a guest: it can start one in addition to the concurrency, as soon as a job waits.
 *
 * Jobs whose wait has ended continue before others start. They work only for moments between two waits.
 */
import { CountMap } from '../count-map.js';
import type { HeldJob } from './held-job.js';
import { JOB_LIMITS } from './job-limits.js';

interface Started {
  /** Waits under way. */
  waits: number;
  /** Whether it has a slot. */
  works: boolean;
  /** Set while its last wait has ended and there is no slot for it. */
  proceed: (() => void) | undefined;
}

export class JobSlots {
  readonly #concurrency: number;
  readonly #onRoom: () => void;
  readonly #started = new Map<HeldJob, Started>();
  readonly #perTenant = new CountMap();
  /** Jobs that need a slot again, in order. */
  readonly #back = new Set<Started>();
  #working = 0;

  /** `onRoom` is called when a job begins to wait, so that another may start. */
  constructor(concurrency: number, onRoom: () => void) {
    this.#concurrency = concurrency;
    this.#onRoom = onRoom;
  }

  /** How many jobs of one tenant may be started at once. */
  get share(): number {
    return Math.max(1, this.#concurrency - 1);
  }

  /** How many guests could start now, before or besides so many other jobs. */
  guestRoom(others: number): number {
    return Math.min(this.#concurrency - this.#working, this.#guestsMax - this.#started.size) - others;
  }

  /** Takes the first job that may start out of `waiting`. */
  startNext(waiting: HeldJob[]): HeldJob | undefined {
    const at = this.#hasSlot ? waiting.findIndex((held) => this.#mayStart(held)) : -1;
    const [held] = at < 0 ? [] : waiting.splice(at, 1);
    if (!held) return undefined;
    this.#started.set(held, { waits: 0, works: true, proceed: undefined });
    this.#perTenant.add(held.job.tenantId, 1);
    this.#working++;
    return held;
  }

  end(held: HeldJob): void {
    const started = this.#started.get(held);
    if (!started) return;
    this.#started.delete(held);
    this.#perTenant.add(held.job.tenantId, -1);
    if (started.works) this.#working--;
    started.works = false;
    this.#proceed(started);
    this.#letContinue();
  }

  /** A stopped job continues without a slot, because it should end soon. */
  stopped(held: HeldJob): void {
    const started = this.#started.get(held);
    if (started) this.#proceed(started);
  }

  /** Runs a wait of the job. The last of its waits ends only when there is a slot for the job. */
  async during<T>(held: HeldJob, wait: () => Promise<T>): Promise<T> {
    const started = this.#started.get(held);
    if (!started) return wait();
    this.#beginWait(started);
    try {
      return await wait();
    } finally {
      await this.#endWait(started, held);
    }
  }

  #beginWait(started: Started): void {
    started.waits++;
    this.#proceed(started);
    if (!started.works) return;
    started.works = false;
    this.#working--;
    this.#letContinue();
    this.#onRoom();
  }

  async #endWait(started: Started, held: HeldJob): Promise<void> {
    started.waits--;
    // A handler that ignores its abort may still wait after its job has ended.
    if (started.waits > 0 || started.works || held.stopped !== undefined || !this.#started.has(held)) return;
    await new Promise<void>((resolve) => {
      started.proceed = resolve;
      this.#back.add(started);
      this.#letContinue();
    });
  }

  get #hasSlot(): boolean {
    return this.#working < this.#concurrency;
  }

  get #guestsMax(): number {
    return this.#concurrency + JOB_LIMITS.guestsMax;
  }

  #mayStart({ job: { tenantId } }: HeldJob): boolean {
    const own = this.#perTenant.get(tenantId);
    if (own === 0) return this.#started.size < this.#guestsMax;
    return own < this.share && this.#started.size < this.#concurrency;
  }

  #letContinue(): void {
    for (const started of this.#back) {
      if (!this.#hasSlot) return;
      started.works = true;
      this.#working++;
      this.#proceed(started);
    }
  }

  #proceed(started: Started): void {
    this.#back.delete(started);
    started.proceed?.();
    started.proceed = undefined;
  }
}
