/** A bounded cache of texts that are known to hold no credential, so that they are not scanned again. */

/** A longer text is not kept: it rarely repeats. */
const REMEMBERED_LENGTH_MAX = 600;

/** Texts with a credential must never be added; they are redacted each time and stored nowhere. */
export class CleanTexts {
  readonly #max: number;
  readonly #texts = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  has(text: string): boolean {
    return this.#max > 0 && this.#texts.has(text);
  }

  add(text: string): void {
    if (this.#max === 0 || text.length > REMEMBERED_LENGTH_MAX) return;
    if (this.#texts.size >= this.#max) this.#texts.clear();
    this.#texts.add(text);
  }

  clear(): void {
    this.#texts.clear();
  }
}
