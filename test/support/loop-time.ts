import { afterEach, beforeEach } from 'vitest';

const TICK_MS = 100;

/**
 * Returns the time that this process's event loop has had, in milliseconds, during the tests of a file. A server in
 * this process runs on the same loop: while the machine runs something else, time stands still for both.
 */
export function useLoopTime(): () => number {
  let ticks = 0;
  let ticking: NodeJS.Timeout;
  beforeEach(() => {
    ticking = setInterval(() => ticks++, TICK_MS);
  });
  afterEach(() => clearInterval(ticking));
  return () => ticks * TICK_MS;
}
