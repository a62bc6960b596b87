/**
 * Stores what an audit recorded, part by part; scoring reads nothing else. A part is JSON and is written as a whole.
 * Writing it again replaces it, so an interrupted step can be repeated. Part names: `opening`, `sitemaps/0`, `crawl/0`,
 * `checks/0`, `probes`, `samples`, `owner`, `report`.
 */
export interface AuditRecord {
  put(part: string, value: unknown): Promise<void>;
  /** Undefined if the part was never written. */
  get(part: string): Promise<unknown>;
}

/** Characters of parts that stay parsed: a report reads pages twice, and parsing them takes as long as judging them. */
const PARSED_CHARS_MAX = 30_000_000;

/**
 * Keeps parts in memory as JSON text, for the command line, which needs neither server nor database. Callers must not
 * change a part they read, because the next caller gets the same object.
 */
export class ProcessAuditRecord implements AuditRecord {
  readonly #parts = new Map<string, string>();
  readonly #parsed = new Map<string, unknown>();
  #parsedChars = 0;

  async put(part: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    if (this.#parsed.delete(part)) this.#parsedChars -= this.#parts.get(part)?.length ?? 0;
    this.#parts.set(part, text);
  }

  async get(part: string): Promise<unknown> {
    const text = this.#parts.get(part);
    if (text === undefined) return undefined;
    const known = this.#parsed.get(part);
    if (known !== undefined) return known;
    const value = JSON.parse(text) as unknown;
    if (this.#parsedChars + text.length <= PARSED_CHARS_MAX) {
      this.#parsed.set(part, value);
      this.#parsedChars += text.length;
    }
    return value;
  }

  /** Every part with its text, in the order of first writing, for saving a record as a file. */
  *parts(): IterableIterator<readonly [part: string, text: string]> {
    yield* this.#parts;
  }
}
