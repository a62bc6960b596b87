/**
 * Splits long synchronous work into short pieces. All callers that share a `Turn` get one turn of the event loop each,
 * so that pages that arrive together do not add up to one long pause for all other work.
 */
export type Turn = () => Promise<void>;

/** About how long a piece of work may take before others get their turn. */
const PIECE_MS = 8;

/** `schedule` runs a function in a later turn of the loop: `setImmediate` on Node. */
export function createTurns(schedule: (act: () => void) => void): Turn {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) schedule(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) schedule(next);
    });
}

/** Runs the steps of a generator, as many per turn as fit. Without `turn`, runs all of them at once. */
export async function runInTurns<T>(steps: Generator<void, T>, turn: Turn | undefined): Promise<T> {
  if (!turn) return runSteps(steps);
  for (;;) {
    await turn();
    const until = performance.now() + PIECE_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
  }
}

export function runSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
