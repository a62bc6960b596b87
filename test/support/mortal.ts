/** A process that dies at its `at`-th action and does nothing afterwards; earlier writes stay. */
export class Mortal {
  #deeds = 0;
  #dead = false;
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  /** Dies before the action, or after it and before its result is seen. */
  async live<T>(deed: () => Promise<T>): Promise<T> {
    this.#check();
    const result = await deed();
    this.#check();
    return result;
  }

  get dead(): boolean {
    return this.#dead;
  }

  #check(): void {
    if (this.#dead || ++this.#deeds > this.#at) {
      this.#dead = true;
      throw new Error('killed');
    }
  }
}
