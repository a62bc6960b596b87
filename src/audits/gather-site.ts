/**
 * Combines pages into what rules need to know about the whole site: the last response of every URL, and which pages
 * refer to it. The same pages in the same order give the same maps.
 */

import { tryUrl } from '../try-url.js';
import { canonicalLinks } from './canonical-links.js';
import type { StylesPart } from './crawl/audit-parts.js';
import { crawlUrl } from './crawl/crawl-url.js';
import { directivesOf, noindexOf } from './directives.js';
import type { FetchFacts } from './facts/fetch-facts.js';
import type { AnchorFacts, PageFacts } from './facts/page-facts.js';
import type { Referrer, SiteFacts, SiteRecord, TargetFacts, TargetRole } from './facts/site-facts.js';
import { siteDomain } from './site-domain.js';
import { subresources } from './subresources.js';

const REFERRERS_MAX = 20;
/** URLs kept as targets; of a site that names more, only the first ones are judged. */
export const TARGETS_MAX = 100_000;
const FRAGMENTS_MAX = 200;

interface OpenTarget {
  readonly url: string;
  readonly internal: boolean;
  readonly roles: TargetRole[];
  readonly referrers: Referrer[];
  referrerCount: number;
  readonly fragments: Map<string, Referrer[]>;
}

export class SiteGathering {
  readonly #domain: string;
  readonly #responses = new Map<string, FetchFacts>();
  readonly #targets = new Map<string, OpenTarget>();
  readonly #noindexed = new Set<string>();

  constructor(domain: string) {
    this.#domain = domain;
  }

  get targets(): ReadonlyMap<string, TargetFacts> {
    return this.#targets;
  }

  hasResponse(url: string): boolean {
    return this.#responses.has(url);
  }

  addPage(page: PageFacts): void {
    const { document, fetch } = page;
    if (fetch) this.#responses.set(page.url, fetch);
    if (fetch && noindexOf(directivesOf(fetch, document))) this.#noindexed.add(page.url);
    if (!document || !page.fetch) return;
    for (const anchor of document.anchors) this.#anchor(page.url, anchor);
    for (const { kind, url, line, tag } of subresources(document)) {
      if (url !== null) this.#refer(url, kind, { page: page.url, line, text: `<${tag}>` });
    }
    for (const { url, line } of canonicalLinks({ url: page.url, fetch: page.fetch }, document)) {
      if (url !== null) this.#refer(url, 'canonical', { page: page.url, line: line ?? 0, text: 'canonical' });
    }
    for (const { rel, hreflang, url, line } of document.links) {
      if (url === null || hreflang === null || !rel.includes('alternate')) continue;
      this.#refer(url, 'alternate', { page: page.url, line, text: `hreflang ${hreflang}` });
    }
    this.#socialImages(page);
  }

  /** What the site's stylesheets load. */
  addStyles({ checks, references }: StylesPart): void {
    for (const check of checks) this.#responses.set(check.url, check);
    for (const { sheet, url, kind, line } of references)
      this.#refer(url, kind, { page: sheet, line, text: 'url()' });
  }

  finish(record: SiteRecord): SiteFacts {
    for (const check of record.checks)
      if (!this.#responses.has(check.url)) this.#responses.set(check.url, check);
    return { ...record, responses: this.#responses, targets: this.#targets, noindexed: this.#noindexed };
  }

  #anchor(page: string, { url, fragment, line, text }: AnchorFacts): void {
    if (url === null) return;
    const referrer = { page, line, text };
    const target = this.#refer(url, 'link', referrer);
    if (!target || fragment === null || fragment === '') return;
    const places = target.fragments.get(fragment);
    if (places) {
      if (places.length < REFERRERS_MAX) places.push(referrer);
    } else if (target.fragments.size < FRAGMENTS_MAX) target.fragments.set(fragment, [referrer]);
  }

  #socialImages({ url: pageUrl, document }: PageFacts): void {
    for (const { property, name, content, line } of document?.metas ?? []) {
      const key = property ?? name;
      if (content === null || (key !== 'og:image' && key !== 'twitter:image')) continue;
      // Social network crawlers do not resolve relative URLs.
      const url = /^https?:/i.test(content) ? tryUrl(content) : undefined;
      if (url) {
        this.#refer(url.href, 'social-image', { page: pageUrl, line, text: key });
      }
    }
  }

  #refer(href: string, role: TargetRole, referrer: Referrer): OpenTarget | undefined {
    // Most URLs of a site are on many of its pages and are already known in this spelling.
    const target = this.#targets.get(href) ?? this.#targetFor(crawlUrl(new URL(href)));
    if (!target) return undefined;
    if (!target.roles.includes(role)) target.roles.push(role);
    if (target.referrers.length < REFERRERS_MAX) target.referrers.push(referrer);
    target.referrerCount += 1;
    return target;
  }

  #targetFor(url: string): OpenTarget | undefined {
    const known = this.#targets.get(url);
    if (known) return known;
    if (this.#targets.size >= TARGETS_MAX) return undefined;
    const internal = siteDomain(new URL(url)) === this.#domain;
    const target: OpenTarget = {
      url,
      internal,
      roles: [],
      referrers: [],
      referrerCount: 0,
      fragments: new Map(),
    };
    this.#targets.set(url, target);
    return target;
  }
}
