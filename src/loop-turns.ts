/**
 * Splits long synchronous work into short pieces. All callers that share a `Turn` get one turn of the event loop each,
 * so that pages that arrive together do not add up to one long pause for all other work. Owners (tenants) take turns,
 * so that one with much work does not delay another's.
 */
export type Turn = (owner?: string) => Promise<void>;

/** About how long a piece of work may take before others get their turn. */
const PIECE_MS = 8;

/** `schedule` runs a function in a later turn of the loop: `setImmediate` on Node. */
export function createTurns(schedule: (act: () => void) => void): Turn {
  const waiting = new Map<string, (() => void)[]>();
  const next = (): void => {
    const [first] = waiting;
    if (!first) return;
    const [owner, [resume, ...others]] = first;
    waiting.delete(owner);
    if (others.length > 0) waiting.set(owner, others);
    resume?.();
    if (waiting.size > 0) schedule(next);
  };
  return (owner = '') =>
    new Promise((resolve) => {
      if (waiting.size === 0) schedule(next);
      const own = waiting.get(owner);
      if (own) own.push(resolve);
      else waiting.set(owner, [resolve]);
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
