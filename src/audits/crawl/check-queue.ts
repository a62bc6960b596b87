/**
 * Targets that the crawl did not fetch, most important first: files that pages load, then links within the site, then
 * links to other sites. URLs that robots.txt blocks and URLs that contain a secret are skipped.
 */
import type { AuditOptions } from '../audit-options.js';
import type { TargetFacts } from '../facts/site-facts.js';
import type { SiteGathering } from '../gather-site.js';
import { isHidden } from './crawl-url.js';

export interface CheckOptions extends Pick<AuditOptions, 'checks' | 'links'> {
  allowed(url: string): boolean;
}

export class CheckQueue {
  readonly #urls: readonly string[];
  readonly left: number;
  #at = 0;

  constructor(gathering: SiteGathering, options: CheckOptions) {
    const open = [...gathering.targets.values()]
      .filter(
        ({ url, internal }) =>
          !gathering.hasResponse(url) &&
          !isHidden(url) &&
          (internal ? options.allowed(url) : options.links === 'all'),
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
