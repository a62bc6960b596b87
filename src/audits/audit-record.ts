/**
 * What an audit writes down, part by part, and all that scoring reads. A part is JSON and is written whole;
 * writing it again replaces it, so a step that was cut off can be repeated. Parts are named by the audit:
 * `opening`, `sitemaps/0`, `crawl/0`, `checks/0`, `probes`, `samples`, `owner`, `report`.
 */
export interface AuditRecord {
  put(part: string, value: unknown): Promise<void>;
  /** Undefined where the part was never written. */
  get(part: string): Promise<unknown>;
}

/** Keeps parts in the process, as JSON text: for the command line, which needs neither server nor database. */
export class ProcessAuditRecord implements AuditRecord {
  readonly #parts = new Map<string, string>();

  async put(part: string, value: unknown): Promise<void> {
    this.#parts.set(part, JSON.stringify(value));
  }

  async get(part: string): Promise<unknown> {
    const text = this.#parts.get(part);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  /** Every part with its text, in the order of first writing: a record as a file. */
  *parts(): IterableIterator<readonly [part: string, text: string]> {
    yield* this.#parts;
  }
}
