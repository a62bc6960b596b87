/** The clock and timers of the proxy: a port, so that a test can let ten minutes pass without waiting. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `act` once; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
