/** Counts by key. A key with a count of zero uses no memory. */
export class CountMap {
  readonly #counts: Map<string, number>;

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(counts);
  }

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  [Symbol.iterator](): IterableIterator<[string, number]> {
    return this.#counts.entries();
  }

  add(key: string, change: number): void {
    const count = this.get(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
