/**
 * Faults that no number of passed rules makes up for. The home page not 200, not indexable or blocked caps
 * the score at 40; any 5xx or TLS failure in the site at 50.
 */
import { directivesOf, noindexOf } from '../directives.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { PageFacts } from '../facts/page-facts.js';
import type { SiteFacts } from '../facts/site-facts.js';
import { robotsVerdict } from '../robots/robots-verdict.js';

export interface Gate {
  readonly id: 'home-status' | 'home-noindex' | 'home-blocked' | 'server-error' | 'tls-failure';
  readonly cap: 40 | 50;
  readonly url: string;
  readonly observed: string;
}

const HOME_CAP = 40;
const FAULT_CAP = 50;

/** Asked page by page, so that no page need be kept. */
export class GateWatch {
  readonly #site: SiteFacts;
  readonly #gates = new Map<Gate['id'], Gate>();

  constructor(site: SiteFacts) {
    this.#site = site;
    for (const variant of site.probes.hostVariants) this.#fault(variant, 'tls-failure');
  }

  addPage(page: PageFacts): void {
    if (page.url === this.#site.homeUrl) this.#home(page);
    if (!page.fetch) return;
    this.#fault(page.fetch, 'tls-failure');
    this.#fault(page.fetch, 'server-error');
  }

  gates(): Gate[] {
    return [...this.#gates.values()];
  }

  #home({ url, fetch, document }: PageFacts): void {
    const file = this.#site.robots.find(({ origin }) => origin === new URL(url).origin);
    const verdict = file ? robotsVerdict(file, 'Googlebot', url) : null;
    if (verdict && !verdict.allowed) {
      this.#add({
        id: 'home-blocked',
        cap: HOME_CAP,
        url,
        observed: verdict.rule ?? 'robots.txt cannot be read',
      });
    }
    if (!fetch) {
      this.#add({ id: 'home-blocked', cap: HOME_CAP, url, observed: 'robots.txt keeps the audit out' });
      return;
    }
    if (fetch.status !== 200) {
      this.#add({
        id: 'home-status',
        cap: HOME_CAP,
        url,
        observed: fetch.error?.code ?? `status ${fetch.status}`,
      });
    }
    const noindex = noindexOf(directivesOf(fetch, document));
    if (noindex) this.#add({ id: 'home-noindex', cap: HOME_CAP, url, observed: noindex.text });
  }

  #fault({ url, status, error }: FetchFacts, id: 'tls-failure' | 'server-error'): void {
    const found = id === 'tls-failure' ? error?.code === 'tls_error' : status !== null && status >= 500;
    if (found) this.#add({ id, cap: FAULT_CAP, url, observed: error?.message ?? `status ${status}` });
  }

  #add(gate: Gate): void {
    if (!this.#gates.has(gate.id)) this.#gates.set(gate.id, gate);
  }
}
