/**
 * The pumps of this process by stream, with their readers. A response that has had no reader for as long as its orphan
 * policy allows is stopped. A live read counts while it lasts; any other read restarts the timeout.
 */
import { CountMap } from '../count-map.js';
import type { OrphanPolicy } from './orphan-policy.js';
import { Pump, type PumpDeps, type PumpSource, type PumpTotals } from './pump.js';
import { ABORTED, COMPLETED, type Ending, failed } from './upstream-outcome.js';

/** The minimum time between the starts of two small writes of a pump. */
export interface WritePace {
  /** While the response has a reader. */
  readonly readMs: number;
  readonly unreadMs: number;
}

interface Running {
  readonly pump: Pump;
  readonly orphan: OrphanPolicy;
  readers: number;
  /** Cancels the orphan timeout, which runs while there is no reader. */
  cancelWatch(): void;
}

export class RunningPumps {
  readonly #deps: PumpDeps;
  readonly #pace: WritePace | null;
  readonly #onEnded: (ending: Ending, totals: PumpTotals) => void;
  readonly #running = new Map<string, Running>();
  readonly #perTenant = new CountMap();

  constructor(
    deps: Omit<PumpDeps, 'paceMs'>,
    pace: WritePace | null,
    onEnded: (ending: Ending, totals: PumpTotals) => void,
  ) {
    this.#deps = deps;
    this.#pace = pace;
    this.#onEnded = onEnded;
  }

  get size(): number {
    return this.#running.size;
  }

  countOf(tenant: string): number {
    return this.#perTenant.get(tenant);
  }

  start(source: PumpSource, orphan: OrphanPolicy): void {
    const pace = this.#pace;
    const paceMs = pace && (() => (running.readers > 0 ? pace.readMs : pace.unreadMs));
    const running: Running = {
      pump: new Pump({ ...this.#deps, ...(paceMs && { paceMs }) }, source),
      orphan,
      readers: 0,
      cancelWatch: () => {},
    };
    this.#running.set(source.stream.id, running);
    this.#perTenant.add(source.metadata.tenant, 1);
    this.#watchOrphan(running);
    void running.pump.ended.then((ending) => {
      running.cancelWatch();
      this.#perTenant.add(source.metadata.tenant, -1);
      // A stream that was removed and created again has another pump by now.
      if (this.#running.get(source.stream.id) === running) this.#running.delete(source.stream.id);
      this.#onEnded(ending, running.pump.totals);
    });
  }

  /** Reports a response that was stored at once and needed no pump. */
  countWhole(bytes: number): void {
    this.#onEnded(COMPLETED, { bytes, records: bytes > 0 ? 1 : 0 });
  }

  /** Resolves when the end is committed, or at once if no pump is running. */
  async stop(streamId: string, ending: Ending = ABORTED): Promise<void> {
    await this.#running.get(streamId)?.pump.stop(ending);
  }

  /** The end of a running pump, or undefined if there is none, or none within `waitMs`. */
  async endOf(streamId: string, waitMs: number): Promise<Ending | undefined> {
    const pump = this.#running.get(streamId)?.pump;
    if (!pump) return undefined;
    let cancel = () => {};
    const late = new Promise<undefined>((resolve) => {
      cancel = this.#deps.timers.after(waitMs, () => resolve(undefined));
    });
    return Promise.race([pump.ended, late]).finally(cancel);
  }

  /** Resolves when the pumps that run now have ended. */
  async quiet(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ pump }) => pump.ended));
  }

  /** For shutdown: does not wait for a failing store. */
  async leaveAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ pump }) => pump.leave(failed('SERVER_STOPPED'))));
  }

  /** Counts as a reader until the returned function is called. */
  reading(streamId: string): () => void {
    const running = this.#running.get(streamId);
    if (!running) return () => {};
    running.readers++;
    running.cancelWatch();
    running.pump.hurry();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      running.readers--;
      if (running.readers === 0 && this.#running.get(streamId) === running) this.#watchOrphan(running);
    };
  }

  #watchOrphan(running: Running): void {
    if (!running.orphan) return;
    const { cancelAfterMs } = running.orphan;
    running.cancelWatch = this.#deps.timers.after(cancelAfterMs, () => void running.pump.stop(ABORTED));
  }
}
