/**
 * Decides which URL comes next. It is a fold: the same start and the same pages in the same order give the same result,
 * so an interrupted crawl is rebuilt from its record. Breadth first along links; URLs that only a sitemap lists come
 * when links run out. Pages, depth, origins and variants of one path are limited, because a calendar or a filter can
 * generate URLs forever.
 */
import type { PageFacts } from '../facts/page-facts.js';
import { siteDomain } from '../site-domain.js';
import { crawlUrl, isHidden } from './crawl-url.js';

export const FRONTIER_LIMITS = {
  /** URLs of one path that differ only in their query. */
  variantsPerPath: 50,
  origins: 20,
  /** Known URLs; more are not remembered. */
  known: 100_000,
} as const;

export type FrontierEntry = Pick<PageFacts, 'url' | 'depth' | 'foundBy' | 'foundOn'>;

/** Paths that are not pages; they are checked with HEAD instead of crawled. */
const FILES =
  /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp|css|m?js|map|json|xml|rss|atom|txt|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|bz2|7z|rar|dmg|exe|apk|iso|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|woff2?|ttf|otf|eot)$/i;

export class Frontier {
  readonly #domain: string;
  readonly #limits: { readonly pages: number; readonly depth: number };
  readonly #seen = new Set<string>();
  readonly #linked: FrontierEntry[] = [];
  readonly #listed: FrontierEntry[] = [];
  readonly #variants = new Map<string, number>();
  readonly #origins = new Set<string>();
  #linkedAt = 0;
  #listedAt = 0;
  #taken = 0;
  leftByDepth = 0;

  constructor(options: { readonly domain: string; readonly pages: number; readonly depth: number }) {
    this.#domain = options.domain;
    this.#limits = options;
  }

  /** URLs that are waiting, regardless of the page limit. */
  get waiting(): number {
    return this.#linked.length - this.#linkedAt + (this.#listed.length - this.#listedAt);
  }

  get taken(): number {
    return this.#taken;
  }

  /** How many pages the crawl will have, as far as known now. */
  get expected(): number {
    return Math.min(this.#limits.pages, this.#taken + this.waiting);
  }

  has(url: string): boolean {
    return this.#seen.has(url);
  }

  /** Adds a page that is known without a request: the start, or the end of a redirect. */
  note(url: string): void {
    this.#seen.add(url);
    this.#taken += 1;
    this.#origins.add(new URL(url).origin);
  }

  addListed(url: string, sitemap: string): void {
    const entry = { url, depth: null, foundBy: 'sitemap', foundOn: sitemap } as const;
    if (this.#admits(new URL(url))) this.#listed.push({ ...entry, url: crawlUrl(new URL(url)) });
  }

  /** Adds the links of a page. */
  addPage(page: PageFacts, depth: number | null): void {
    const { fetch, document } = page;
    if (!document || fetch?.status !== 200) return;
    const nofollow = document.metas.some(
      ({ name, content }) => name === 'robots' && /\b(?:nofollow|none)\b/i.test(content ?? ''),
    );
    if (nofollow) return;
    for (const { url, internal, rel } of document.anchors) {
      if (url === null || !internal || rel.includes('nofollow')) continue;
      this.#addLink(url, (depth ?? 0) + 1, page.url);
    }
  }

  /** At most `count` entries; fewer or none if a limit or the end of the site is reached. */
  take(count: number): FrontierEntry[] {
    const batch: FrontierEntry[] = [];
    while (batch.length < count && this.#taken < this.#limits.pages) {
      const next = this.#linked[this.#linkedAt] ?? this.#listed[this.#listedAt];
      if (!next) break;
      if (this.#linkedAt < this.#linked.length) this.#linkedAt += 1;
      else this.#listedAt += 1;
      this.#taken += 1;
      batch.push(next);
    }
    return batch;
  }

  #addLink(url: string, depth: number, foundOn: string): void {
    if (this.#seen.has(url)) return;
    if (depth > this.#limits.depth) {
      this.leftByDepth += 1;
      return;
    }
    if (this.#admits(new URL(url))) this.#linked.push({ url, depth, foundBy: 'link', foundOn });
  }

  #admits(parsed: URL): boolean {
    const url = crawlUrl(parsed);
    if (this.#seen.has(url) || this.#seen.size >= FRONTIER_LIMITS.known) return false;
    if (siteDomain(parsed) !== this.#domain || isHidden(url) || FILES.test(parsed.pathname)) return false;
    if (!this.#origins.has(parsed.origin)) {
      if (this.#origins.size >= FRONTIER_LIMITS.origins) return false;
      this.#origins.add(parsed.origin);
    }
    if (parsed.search !== '') {
      const path = `${parsed.origin}${parsed.pathname}`;
      const variants = (this.#variants.get(path) ?? 0) + 1;
      this.#variants.set(path, variants);
      if (variants > FRONTIER_LIMITS.variantsPerPath) return false;
    }
    this.#seen.add(url);
    return true;
  }
}
