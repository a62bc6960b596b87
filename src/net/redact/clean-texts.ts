/** Texts that are known to hold no credential, so that work that meets them again need not look again. Bounded. */

/** A longer text is not remembered: it is seldom met again. */
const REMEMBERED_LENGTH_MAX = 600;

/** Never a text with a credential in it: such a one is redacted again each time, and kept nowhere. */
export class CleanTexts {
  readonly #most: number;
  readonly #texts = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  has(text: string): boolean {
    return this.#most > 0 && this.#texts.has(text);
  }

  add(text: string): void {
    if (this.#most === 0 || text.length > REMEMBERED_LENGTH_MAX) return;
    if (this.#texts.size >= this.#most) this.#texts.clear();
    this.#texts.add(text);
  }

  clear(): void {
    this.#texts.clear();
  }
}
