/**
 * Decides what time it is for deadlines, when the wall clock cannot be trusted. A clock that never steps carries the
 * time on: as long as both agree, `now` is the wall clock. When the wall clock steps by more than a second, `now` goes
 * on as if it had not, and only after both have agreed again for `CLOCK_TRUST_MS` does it take over the wall clock
 * (`accept`). Until then nothing may be destroyed because of a date (`isTrusted`).
 *
 * Every call compares the clocks, so no decision is made between a step and its detection. The state can be stored, so
 * that restarts neither reset the agreement nor take a wrong clock for a right one: in the same run of the monotonic
 * clock a step is recognised exactly, otherwise by a start that is earlier than the stored time or far beyond it. Only
 * trusted time is stored as such, so a wrong clock does not spoil the record. A start without a state is trusted.
 */
export interface Clocks {
  /** Milliseconds since the epoch; may step. */
  readonly wall: () => number;
  /** Milliseconds since any fixed point; never steps. */
  readonly monotonic: () => number;
  /** Identifies the run of the monotonic clock, so that its values can be compared across processes; null if unknown. */
  readonly boot?: string | null;
}

/** What a later process needs in order to go on. */
export interface ClockState {
  readonly boot: string | null;
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** What `now` returned. */
  readonly nowMs: number;
  /** How long the clocks had agreed. */
  readonly agreedMs: number;
  /** What `now` returned at the first step that has not been accepted; null while the clock is trusted. */
  readonly untrustedSinceMs: number | null;
  /** By how much `now` has jumped in total, because steps were accepted. */
  readonly jumpedMs: number;
}

export interface ClockWatchOptions {
  readonly saved?: ClockState | undefined;
  readonly trustMs?: number;
  /** Called for each step, with its size. */
  readonly onStep?: (byMs: number) => void;
}

/** The time for which both clocks must agree before anything is destroyed because of a date. */
export const CLOCK_TRUST_MS = 3_600_000;
/** After a reboot, a wall clock that is further beyond the last trusted time may be wrong. */
const START_GAP_MS = 3_600_000;
/** Smaller differences are corrections, which are followed. */
const STEP_MS = 1_000;
/** A pause between reading the two clocks must not look like a step. */
const READ_MS_MAX = 100;
const READS_MAX = 5;

/** A step that has lasted for so long that it is taken for the truth. */
export interface AcceptedStep {
  /** By how much `now` will jump. */
  readonly byMs: number;
  /** What `now` returned at the step; deadlines that were set since then must move too. */
  readonly sinceMs: number;
}

export class ClockWatch {
  readonly #clocks: Clocks;
  readonly #trustMs: number;
  readonly #onStep: (byMs: number) => void;
  /** The wall clock's and `now`'s distance from the monotonic clock. */
  #wallOffset: number;
  #offset: number;
  #agreedFrom: number;
  #untrustedSince: number | null = null;
  #jumpedMs: number;
  /** When the clocks were last compared, by the monotonic one. */
  #sampledAt: number;
  /** The steps that `takeStep` has not returned. */
  #untakenMs = 0;

  constructor(
    clocks: Clocks,
    { saved, trustMs = CLOCK_TRUST_MS, onStep = () => undefined }: ClockWatchOptions = {},
  ) {
    this.#clocks = clocks;
    this.#trustMs = trustMs;
    this.#onStep = onStep;
    const { monotonic, wallOffset } = readClocks(clocks);
    this.#wallOffset = this.#offset = wallOffset;
    this.#agreedFrom = this.#sampledAt = monotonic;
    this.#jumpedMs = saved?.jumpedMs ?? 0;
    if (!saved) return;
    const isSameRun = (clocks.boot ?? null) !== null && saved.boot === clocks.boot;
    if (isSameRun && saved.monotonicMs <= monotonic) this.#continue(saved);
    else this.#restart(saved, { monotonic, wall: monotonic + wallOffset });
  }

  /** The time for dates that end: the wall clock while it is trusted. It jumps only in `accept`. */
  now(): number {
    return Math.round(this.#sample() + this.#offset);
  }

  /** Like `now`, but without its jumps: for leases and other durations that are stored. */
  steady(): number {
    return Math.round(this.#sample() + this.#offset - this.#jumpedMs);
  }

  /** Whether data may be destroyed because of a date. */
  isTrusted(): boolean {
    this.#sample();
    return this.#untrustedSince === null;
  }

  /** The earliest time until the clock can be trusted again; 0 if it is. */
  untrustedForMs(): number {
    const agreedMs = this.#sample() - this.#agreedFrom;
    return this.#untrustedSince === null ? 0 : Math.max(0, this.#trustMs - agreedMs);
  }

  /** How far the wall clock has stepped since the last call: negative for a step back, 0 for none. */
  takeStep(): number {
    this.#sample();
    const step = this.#untakenMs;
    this.#untakenMs = 0;
    return step;
  }

  /** Set once the clocks have agreed for long enough. */
  acceptable(): AcceptedStep | undefined {
    const monotonic = this.#sample();
    const sinceMs = this.#untrustedSince;
    if (sinceMs === null || monotonic - this.#agreedFrom < this.#trustMs) return undefined;
    return { byMs: this.#wallOffset - this.#offset, sinceMs };
  }

  /** Takes over the wall clock, and trusts it. */
  accept({ byMs }: AcceptedStep): void {
    this.#offset += byMs;
    this.#jumpedMs += byMs;
    this.#untrustedSince = null;
  }

  /** The wall clock when the clocks were last compared. */
  lastWall(): number {
    return Math.round(this.#sampledAt + this.#wallOffset);
  }

  /** The state when the clocks were last compared; after `accepted`, if that is given. */
  state(accepted?: AcceptedStep): ClockState {
    const monotonicMs = this.#sampledAt;
    const byMs = accepted?.byMs ?? 0;
    return {
      boot: this.#clocks.boot ?? null,
      monotonicMs,
      wallMs: monotonicMs + this.#wallOffset,
      nowMs: monotonicMs + this.#offset + byMs,
      agreedMs: monotonicMs - this.#agreedFrom,
      untrustedSinceMs: accepted ? null : this.#untrustedSince,
      jumpedMs: this.#jumpedMs + byMs,
    };
  }

  /** In the same run of the monotonic clock nothing is uncertain. */
  #continue(saved: ClockState): void {
    this.#wallOffset = saved.wallMs - saved.monotonicMs;
    this.#offset = saved.nowMs - saved.monotonicMs;
    this.#agreedFrom = saved.monotonicMs - saved.agreedMs;
    this.#untrustedSince = saved.untrustedSinceMs;
    // A step may have happened at any time since the state was stored.
    this.#sample(saved.nowMs);
  }

  #restart(
    saved: ClockState,
    { monotonic, wall }: { readonly monotonic: number; readonly wall: number },
  ): void {
    const gapMs = wall - saved.wallMs;
    const isPlausible = gapMs >= -STEP_MS && gapMs <= START_GAP_MS;
    this.#offset = saved.nowMs - monotonic + (isPlausible ? gapMs : 0);
    this.#untrustedSince = saved.untrustedSinceMs;
    if (isPlausible) this.#agreedFrom = monotonic - saved.agreedMs;
    else {
      this.#untrustedSince ??= saved.nowMs;
      this.#onStep(gapMs);
    }
    if (this.#untrustedSince === null) this.#offset = this.#wallOffset;
  }

  /** Returns the monotonic time. `since` is what `now` was when a step can have happened at the earliest. */
  #sample(since?: number): number {
    const { monotonic, wallOffset } = readClocks(this.#clocks);
    const change = wallOffset - this.#wallOffset;
    this.#wallOffset = wallOffset;
    this.#sampledAt = monotonic;
    if (Math.abs(change) <= STEP_MS) {
      this.#offset = this.#untrustedSince === null ? wallOffset : this.#offset + change;
      return monotonic;
    }
    this.#agreedFrom = monotonic;
    this.#untrustedSince ??= since ?? monotonic + this.#offset;
    this.#untakenMs += change;
    this.#onStep(change);
    return monotonic;
  }
}

function readClocks({ wall, monotonic }: Clocks): { monotonic: number; wallOffset: number } {
  for (let reads = 1; ; reads++) {
    const before = monotonic();
    const wallMs = wall();
    const after = monotonic();
    if (after - before <= READ_MS_MAX || reads === READS_MAX)
      return { monotonic: after, wallOffset: wallMs - after };
  }
}
