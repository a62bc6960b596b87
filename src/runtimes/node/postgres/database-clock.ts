/**
 * The time of leases, delays and keys on PostgreSQL: the database's clock, carried on by this process's monotonic one. A
 * step of the database's clock neither ends a lease nor delays a job, and every process finds it within seconds, before
 * anything is deleted because of a date. The state is stored in the database, so that a process that starts during a
 * step goes on with the same time.
 */
import { type ClockState, ClockWatch } from '../../../clock-watch.js';
import type { Log } from '../../../log.js';
import type { DatabaseTime, PgQueries } from '../../../stores/postgres/pg-database.js';
import {
  FORGET_CLOCKS,
  READ_CLOCK,
  READ_TRANSACTION_CLOCK,
  SAVE_CLOCK,
  SELECT_CLOCK,
} from '../../../stores/postgres/sql/clock.js';
import { systemClocks } from '../system-clocks.js';

const READ_EVERY_MS = 2_000;
const SAVE_EVERY_MS = 30_000;
const KEPT_MS = 30 * 86_400_000;
/** A slower answer says too little about the time at which it was given. */
const ANSWER_MS_MAX = 500;
/** An earlier time than the expected one only keeps more. */
const AHEAD_MS_MAX = 1_000;

export class DatabaseClock implements DatabaseTime {
  readonly #log: Log;
  /** The database's clock minus the monotonic one. */
  #offset: number | undefined;
  #watch: ClockWatch | undefined;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  now(): number {
    return this.#running.steady();
  }

  wall(): number {
    return Math.round(systemClocks.monotonic() + (this.#offset ?? 0));
  }

  isTrusted(): boolean {
    return this.#watch?.isTrusted() ?? false;
  }

  /** Reads the clock if that was not done yet. */
  async ready(queries: PgQueries): Promise<void> {
    if (this.#watch) return;
    this.#reading ??= this.#read(queries).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    this.#watch ??= this.#start();
  }

  /** Goes on with the stored state, and watches the clock until `stop`. */
  async open(queries: PgQueries): Promise<void> {
    await this.#read(queries);
    const [row] = await queries.query(SELECT_CLOCK, [systemClocks.boot ?? '']);
    this.#watch = this.#start(row && (JSON.parse(String(row['state_json'])) as ClockState));
    await this.#save(queries);
    await queries.query(FORGET_CLOCKS, [this.now() - KEPT_MS]);
    this.#timer = setInterval(() => void this.#check(queries), READ_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async mayDestroy(queries: PgQueries): Promise<number | undefined> {
    const [row] = await queries.query(READ_TRANSACTION_CLOCK, []);
    const ms = Number(row?.['ms']);
    return this.isTrusted() && ms - this.wall() <= AHEAD_MS_MAX ? ms : undefined;
  }

  notes(): readonly string[] {
    const ms = this.#running.untrustedForMs();
    if (ms === 0) return [];
    return [
      `the database's clock was set: nothing is deleted because of a date for another ${Math.ceil(ms / 60_000)} min`,
    ];
  }

  get #running(): ClockWatch {
    if (!this.#watch) throw new Error('the clock of the database was not read yet');
    return this.#watch;
  }

  #start(saved?: ClockState): ClockWatch {
    const clocks = { ...systemClocks, wall: () => this.wall() };
    return new ClockWatch(clocks, {
      saved,
      onStep: (byMs) => {
        this.#savedAt = Number.NEGATIVE_INFINITY;
        this.#log.warn(
          "the database's clock was set; nothing is deleted because of a date until it has been right for an hour",
          { bySeconds: Math.round(byMs / 1000) },
        );
      },
    });
  }

  async #read(queries: PgQueries): Promise<void> {
    const before = systemClocks.monotonic();
    const [row] = await queries.query(READ_CLOCK, []);
    const after = systemClocks.monotonic();
    if (after - before > ANSWER_MS_MAX && this.#offset !== undefined) return;
    this.#offset = Number(row?.['ms']) - (before + after) / 2;
  }

  async #check(queries: PgQueries): Promise<void> {
    try {
      await this.#read(queries);
      const step = this.#running.acceptable();
      // Durations do not jump, so no stored deadline has to move.
      if (step) this.#running.accept(step);
      if (systemClocks.monotonic() - this.#savedAt >= SAVE_EVERY_MS) await this.#save(queries);
    } catch {
      // The database is away; the next check finds out what its clock did.
    }
  }

  async #save(queries: PgQueries): Promise<void> {
    this.#savedAt = systemClocks.monotonic();
    const steadyMs = this.now();
    const state = JSON.stringify(this.#running.state());
    await queries.query(SAVE_CLOCK, [systemClocks.boot ?? '', steadyMs, state]);
  }
}
