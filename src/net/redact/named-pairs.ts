/**
 * Masks pairs whose name is itself a value: HAR headers `{"name": "Authorization", "value": "…"}`, `{key, value}`
 * lists, `<input name="password" value="…">`, in either order. Remembers one half until the other one follows
 * within a bounded distance in the same object.
 */
import { wordSet } from '../word-set.js';
import { isSecretKey } from './classify-key.js';
import type { Mask } from './mask.js';
import { quoteAt, quotedValue } from './quotes.js';
import { maskValue, type ValueSite } from './secret-value.js';

const DISTANCE_MAX = 240;
const NAMES = wordSet('name key Name Key header field headerName k');
const VALUES = wordSet('value Value val content v');

interface Half {
  readonly start: number;
  readonly end: number;
}

export class NamedPairs {
  readonly #text: string;
  readonly #mask: Mask;
  #secretName: Half | undefined;
  #value: Half | undefined;

  constructor(text: string, mask: Mask) {
    this.#text = text;
    this.#mask = mask;
  }

  /** Returns where the scan continues if the value of a pair was masked here; undefined otherwise. */
  visit(site: ValueSite): number | undefined {
    const { name, kind } = site.key;
    if (kind !== 'plain' && kind !== 'key' && kind !== 'jwk') return undefined;
    if (NAMES.has(name)) return this.#visitName(site);
    if (!VALUES.has(name)) return undefined;
    if (kind === 'plain' && this.#near(this.#secretName, site)) {
      this.#secretName = undefined;
      return maskValue({ ...site, key: { ...site.key, kind: 'secret' } });
    }
    this.#value = this.#quoted(site);
    return undefined;
  }

  #visitName(site: ValueSite): undefined {
    const name = this.#quoted(site);
    if (name === undefined || name.end - name.start > 80) return;
    if (!isSecretKey(this.#text.slice(name.start, name.end))) return;
    if (this.#near(this.#value, site) && this.#value !== undefined) {
      this.#mask.add(this.#value.start, this.#value.end);
      this.#value = undefined;
    } else {
      this.#secretName = name;
    }
  }

  #near(half: Half | undefined, site: ValueSite): boolean {
    if (half === undefined || site.key.start - half.end > DISTANCE_MAX) return false;
    return !/[{}<>\n]\s{0,64}[{}<]|[{}<>]/.test(this.#text.slice(half.end, site.key.start));
  }

  #quoted({ separator }: ValueSite): Half | undefined {
    let at = separator.end;
    while (at - separator.end < 16 && this.#text.charCodeAt(at) <= 32) at += 1;
    const quote = quoteAt(this.#text, at);
    return quote === undefined ? undefined : quotedValue(this.#text, at, quote);
  }
}
