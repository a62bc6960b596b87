/**
 * Targets that the crawl did not fetch, in the order in which they matter: what pages are made of, then links
 * within the site, then links to others. URLs that robots.txt closes to us, and those that carry a secret, are
 * not asked for.
 */
import type { TargetFacts } from '../facts/site-facts.js';
import type { SiteGathering } from '../gather-site.js';
import { isHidden } from './crawl-url.js';

export class CheckQueue {
  readonly #urls: readonly string[];
  readonly left: number;
  #at = 0;

  constructor(gathering: SiteGathering, options: { readonly checks: number; allowed(url: string): boolean }) {
    const open = [...gathering.targets.values()]
      .filter(
        ({ url, internal }) =>
          !gathering.answered(url) && !isHidden(url) && (!internal || options.allowed(url)),
      )
      .map((target) => ({ url: target.url, order: orderOf(target) }))
      .sort((left, right) => left.order - right.order);
    this.#urls = open.slice(0, options.checks).map(({ url }) => url);
    this.left = open.length - this.#urls.length;
  }

  get total(): number {
    return this.#urls.length;
  }

  take(count: number): readonly string[] {
    const batch = this.#urls.slice(this.#at, this.#at + count);
    this.#at += batch.length;
    return batch;
  }
}

function orderOf({ internal, roles }: TargetFacts): number {
  if (roles.some((role) => role !== 'link')) return 0;
  return internal ? 1 : 2;
}
