/** Time as the proxy sees it: a port, so that a test can let ten minutes pass without waiting for them. */
export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `act` once; the response calls it off. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
