/**
 * Decides which sitemap files are read next: those that robots.txt names, else `/sitemap.xml`; then those that an index
 * names. The number is limited.
 */
import type { RobotsFile, SitemapEntry } from '../facts/site-facts.js';
import type { SitemapsPart } from './audit-parts.js';
import type { ReadSitemap, SitemapAsk } from './read-sitemap.js';

export const SITEMAP_QUEUE_LIMITS = {
  /** Files per audit. */
  files: 50,
  /** Entries kept over all files. */
  entries: 50_000,
} as const;

export class SitemapQueue {
  readonly #origin: string;
  readonly #asks: SitemapAsk[] = [];
  readonly #seen = new Set<string>();
  #entries = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  start(robots: RobotsFile | undefined): void {
    const declared = robots?.sitemaps ?? [];
    for (const { url } of declared)
      this.#add({ url, foundBy: 'robots', foundOn: `${this.#origin}/robots.txt` });
    if (declared.length === 0)
      this.#add({ url: `${this.#origin}/sitemap.xml`, foundBy: 'default-place', foundOn: null });
  }

  take(count: number): SitemapAsk[] {
    return this.#asks.splice(0, count);
  }

  /** Entries beyond the limit are dropped here, where their total is known. */
  part(read: readonly ReadSitemap[]): SitemapsPart {
    const all: SitemapEntry[] = read.flatMap(({ entries }) => entries);
    const entries = all.slice(0, Math.max(0, SITEMAP_QUEUE_LIMITS.entries - this.#entries));
    return {
      files: read.map(({ facts, children }) => ({
        facts,
        children: children.slice(0, SITEMAP_QUEUE_LIMITS.files),
      })),
      entries,
      entriesCut: entries.length < all.length,
    };
  }

  apply(part: SitemapsPart): void {
    this.#entries += part.entries.length;
    for (const { facts, children } of part.files) {
      for (const url of children) this.#add({ url, foundBy: 'index', foundOn: facts.url });
    }
  }

  #add(ask: SitemapAsk): void {
    if (this.#seen.has(ask.url) || this.#seen.size >= SITEMAP_QUEUE_LIMITS.files) return;
    this.#seen.add(ask.url);
    this.#asks.push(ask);
  }
}
