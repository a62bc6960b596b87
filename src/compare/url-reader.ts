/** URLs of one comparison, each parsed once: the same few addresses are asked for by a dozen rules. */
export class UrlReader {
  readonly #known = new Map<string, URL | undefined>();

  /** undefined where the text is no URL. */
  read(text: string): URL | undefined {
    const known = this.#known.get(text);
    if (known || this.#known.has(text)) return known;
    const url = parsed(text);
    this.#known.set(text, url);
    return url;
  }
}

/** One parse instead of the two that asking first would cost; text that is no URL is the rare case. */
function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
