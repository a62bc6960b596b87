/**
 * The writes that all pumps together may have under way beyond one each. A pump that is ahead of the store needs
 * several, so that they share a commit; each keeps a record in memory, so there is a bound to all of them.
 */
export class SpareWrites {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  giveBack(): void {
    this.#left++;
  }
}
