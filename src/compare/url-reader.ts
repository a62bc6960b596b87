import { tryUrl } from '../try-url.js';

/** URLs of one comparison, each parsed once: the same few addresses are used by a dozen rules. */
export class UrlReader {
  readonly #known = new Map<string, URL | undefined>();

  /** undefined where the text is no URL. */
  read(text: string): URL | undefined {
    const known = this.#known.get(text);
    if (known || this.#known.has(text)) return known;
    const url = tryUrl(text);
    this.#known.set(text, url);
    return url;
  }
}
