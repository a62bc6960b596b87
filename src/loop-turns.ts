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

/** Turns for hosts that have only timers. */
export const timerTurn: Turn = createTurns((act) => void setTimeout(act, 0));

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

/** Sockets that are written to, or ended, per turn: about four milliseconds of work. */
export const ACTS_PER_TURN = 250;

/** Calls `act` for each item, some hundred per turn. The first are called at once. Leaves out items removed meanwhile. */
export async function actInTurns<T>(
  items: ReadonlySet<T>,
  act: (item: T) => void,
  turn: Turn,
): Promise<void> {
  let acts = 0;
  for (const item of items) {
    if (acts === ACTS_PER_TURN) {
      acts = 0;
      await turn();
      if (!items.has(item)) continue;
    }
    acts += 1;
    act(item);
  }
}
