/**
 * Stops started parts in reverse order. Every part is stopped even if others fail; the first failure is thrown at the
 * end.
 */
export class StopStack {
  readonly #stops: ((drainMs: number) => Promise<unknown>)[] = [];

  /** Returns the part, so that it can be started and added in one expression. */
  add<T extends { stop(drainMs: number): Promise<unknown> }>(part: T): T {
    this.#stops.push((drainMs) => part.stop(drainMs));
    return part;
  }

  /** `drainMs` is how long a part may wait for its running work. */
  async stop(drainMs: number): Promise<void> {
    const faults: unknown[] = [];
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) {
      await stop(drainMs).catch((fault: unknown) => faults.push(fault));
    }
    if (faults.length > 0) throw faults[0];
  }
}
