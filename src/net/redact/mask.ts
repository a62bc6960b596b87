/**
 * Collects the spans of a text that must be hidden, and replaces them.
 *
 * Every rule reads the same unchanged text and only adds spans, which are merged at the end. So no rule can undo,
 * split or build on the work of another, and a span once added is always hidden.
 */
export const MASK = '[REDACTED]';

/**
 * A text with more spans than this, and on average one in fewer than `DENSE_CHARACTERS`, is an attack or a dump of
 * credentials. It is hidden as a whole, because masking each span would multiply its size.
 */
export const DENSE_SPANS = 4_096;
export const DENSE_CHARACTERS = 16;

interface Span {
  readonly start: number;
  end: number;
  readonly replacement: string;
}

export class Mask {
  readonly #text: string;
  readonly #spans: Span[] = [];
  readonly #mentioned = new Map<string, boolean>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Hides `[start, end)`. A span that already equals its replacement is ignored. */
  add(start: number, end: number, replacement = MASK): void {
    if (end <= start) return;
    if (end - start === replacement.length && this.#text.startsWith(replacement, start)) return;
    const last = this.#spans.at(-1);
    // Overlapping matches of one rule are merged at once, so that they do not count as many spans.
    if (last !== undefined && last.replacement === replacement && last.start <= start && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      this.#spans.push({ start, end, replacement });
    }
  }

  /** Hides every match of a global pattern, or of its first group. `matchAll` costs three times as much per line. */
  addMatches(pattern: RegExp, accepts: (found: RegExpExecArray) => boolean = () => true): void {
    // A call that threw would have left its position in the shared pattern.
    pattern.lastIndex = 0;
    for (let found = pattern.exec(this.#text); found !== null; found = pattern.exec(this.#text)) {
      const end = found.index + found[0].length;
      if (accepts(found)) this.add(end - (found[1] ?? found[0]).length, end);
    }
  }

  /** Whether the text contains `word`. Cached. */
  mentions(word: string): boolean {
    const known = this.#mentioned.get(word);
    if (known !== undefined) return known;
    const found = this.#text.includes(word);
    this.#mentioned.set(word, found);
    return found;
  }

  apply(): string {
    if (this.#spans.length === 0) return this.#text;
    if (this.#isDense()) return MASK;
    const parts: string[] = [];
    let copied = 0;
    for (const span of this.#joined()) {
      parts.push(this.#text.slice(copied, span.start), span.replacement);
      copied = span.end;
    }
    parts.push(this.#text.slice(copied));
    return parts.join('');
  }

  /** The spans in order and without overlap; of several merged spans, the first decides the replacement. */
  #joined(): readonly Span[] {
    if (!this.#inOrder()) this.#spans.sort((a, b) => a.start - b.start || b.end - a.end);
    let last = -1;
    for (const span of this.#spans) {
      const before = this.#spans[last];
      if (before !== undefined && span.start <= before.end) {
        before.end = Math.max(before.end, span.end);
      } else {
        last += 1;
        this.#spans[last] = span;
      }
    }
    this.#spans.length = last + 1;
    return this.#spans;
  }

  #isDense(): boolean {
    const count = this.#spans.length;
    return count > DENSE_SPANS && count * DENSE_CHARACTERS > this.#text.length;
  }

  #inOrder(): boolean {
    return this.#spans.every((span, at) => at === 0 || (this.#spans[at - 1]?.start ?? 0) < span.start);
  }
}
