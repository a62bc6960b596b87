/**
 * Faults that passing rules cannot make up for. A home page that is not 200, not indexable or blocked, or a readable
 * private file, caps the score at 40. Server errors on a tenth of the pages, or a TLS failure of the site's own host,
 * cap it at 50; a few failing pages only cost what their rule costs.
 */
import { directivesOf, noindexOf } from '../directives.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { PageFacts } from '../facts/page-facts.js';
import type { SiteFacts } from '../facts/site-facts.js';
import { describeResponse } from '../reachability.js';
import type { Gate } from '../report/audit-report.js';
import { robotsVerdict } from '../robots/robots-verdict.js';

/** Every gate with the rule whose fix removes the cap. */
export const GATE_RULES = {
  'home-status': 'http.status-ok',
  'home-noindex': 'idx.noindex',
  'home-blocked': 'idx.blocked-by-robots',
  'private-files': 'sec.leaks',
  'server-error': 'http.status-ok',
  'tls-failure': 'sec.https',
};
export type GateId = keyof typeof GATE_RULES;
export const GATE_IDS = Object.keys(GATE_RULES) as readonly GateId[];

const HOME_CAP = 40;
const FAULT_CAP = 50;
const SERVER_ERROR_SHARE = 0.1;

/** Checks pages one by one, so that none has to be kept. */
export class GateWatch {
  readonly #site: SiteFacts;
  readonly #gates = new Map<GateId, Gate>();
  #pages = 0;
  #serverErrors = 0;
  #firstServerError: FetchFacts | undefined;

  constructor(site: SiteFacts) {
    this.#site = site;
    const { host } = new URL(site.origin);
    for (const variant of site.probes.hostVariants)
      if (new URL(variant.url).host === host) this.#tls(variant);
    const leak = site.probes.leaks?.find(({ exposed, kind }) => exposed && kind !== 'source-map');
    if (leak) this.#add({ id: 'private-files', cap: HOME_CAP, url: leak.fetch.url, observed: leak.path });
  }

  addPage(page: PageFacts): void {
    if (page.url === this.#site.homeUrl) this.#home(page);
    if (!page.fetch) return;
    this.#pages += 1;
    this.#tls(page.fetch);
    if (page.fetch.status === null || page.fetch.status < 500) return;
    this.#serverErrors += 1;
    this.#firstServerError ??= page.fetch;
  }

  gates(): Gate[] {
    const all = [...this.#gates.values()];
    const first = this.#firstServerError;
    if (!first || this.#serverErrors < this.#pages * SERVER_ERROR_SHARE) return all;
    const observed = `${this.#serverErrors} of ${this.#pages} pages, the first with status ${first.status}`;
    return [...all, { id: 'server-error', cap: FAULT_CAP, url: first.url, observed }];
  }

  #home({ url, fetch, document }: PageFacts): void {
    const file = this.#site.robots.find(({ origin }) => origin === new URL(url).origin);
    const verdict = file ? robotsVerdict(file, 'Googlebot', url) : null;
    const add = (id: GateId, observed: string) => this.#add({ id, cap: HOME_CAP, url, observed });
    if (verdict && !verdict.allowed) add('home-blocked', verdict.rule ?? 'robots.txt cannot be read');
    if (!fetch) return add('home-blocked', 'robots.txt blocks the audit');
    if (fetch.status !== 200) add('home-status', describeResponse(fetch));
    const noindex = noindexOf(directivesOf(fetch, document));
    if (noindex) add('home-noindex', noindex.text);
  }

  #tls({ url, error }: FetchFacts): void {
    if (error?.code === 'tls_error')
      this.#add({ id: 'tls-failure', cap: FAULT_CAP, url, observed: error.message });
  }

  #add(gate: Gate): void {
    if (!this.#gates.has(gate.id)) this.#gates.set(gate.id, gate);
  }
}
