/** Counts clicks from the home page to every page along crawled links; a redirect is not a click. */
import type { PageFacts } from './facts/page-facts.js';

export class LinkDepths {
  readonly #links = new Map<string, readonly string[]>();
  readonly #redirects = new Map<string, string>();

  addPage({ url, fetch, document }: PageFacts): void {
    if (fetch && fetch.redirects.length > 0) this.#redirects.set(url, fetch.finalUrl);
    if (!document) return;
    const links = document.anchors.flatMap((anchor) =>
      anchor.internal && anchor.url !== null ? [anchor.url] : [],
    );
    this.#links.set(url, [...new Set(links)]);
  }

  from(homeUrl: string): ReadonlyMap<string, number> {
    const depths = new Map<string, number>([[homeUrl, 0]]);
    const queue = [homeUrl];
    for (const url of queue) {
      const depth = depths.get(url) ?? 0;
      const end = this.#redirects.get(url);
      if (end !== undefined) this.#reach(end, depth, { depths, queue });
      for (const link of this.#links.get(url) ?? []) this.#reach(link, depth + 1, { depths, queue });
    }
    return depths;
  }

  #reach(url: string, depth: number, walk: { depths: Map<string, number>; queue: string[] }): void {
    if (walk.depths.has(url)) return;
    walk.depths.set(url, depth);
    // The links of a page that was not crawled are unknown.
    if (this.#links.has(url) || this.#redirects.has(url)) walk.queue.push(url);
  }
}
