/**
 * The writes that all pumps together may have in flight in addition to one each. A pump that is ahead of the store
 * needs several, so that they share a commit. Each holds a record in memory, so their total is limited.
 */
export class SpareWrites {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  release(): void {
    this.#left++;
  }
}
