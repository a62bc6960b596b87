/**
 * Results of a pure function of a text, the latest of them: the comparisons of a suite read the same policies,
 * directives and lists on every path. A few hundred texts of a few thousand characters are kept at most.
 */
const TEXTS_MAX = 256;
const CHARS_MAX = 4_096;

export class Remembered<T extends object | string> {
  readonly #make: (text: string) => T;
  readonly #known = new Map<string, T>();

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  of(text: string): T {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#make(text);
    if (text.length > CHARS_MAX) return made;
    // What is in use comes back with the next comparison.
    if (this.#known.size >= TEXTS_MAX) this.#known.clear();
    this.#known.set(text, made);
    return made;
  }
}
