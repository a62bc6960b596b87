import { tryUrl } from '../try-url.js';

/** Parses each URL of a comparison once, because a dozen rules use the same few URLs. */
export class UrlReader {
  readonly #known = new Map<string, URL | undefined>();

  /** undefined if the text is not a URL. */
  read(text: string): URL | undefined {
    const known = this.#known.get(text);
    if (known || this.#known.has(text)) return known;
    const url = tryUrl(text);
    this.#known.set(text, url);
    return url;
  }
}
