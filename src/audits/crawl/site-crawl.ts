/**
 * Crawls one site as a fold over parts. `make…` methods fetch and return a part, `apply…` methods fold it in. The next
 * step depends only on the folded parts, so an interrupted crawl continues from its record, and a part may be made
 * twice.
 */
import { SondeError } from '../../errors.js';
import { createRedactor, type Redactor, refusalError } from '../../net/index.js';
import { type AuditOptions, agentToken, CRAWL_DELAY_MAX_MS } from '../audit-options.js';
import type { PageFacts, RobotsDecision } from '../facts/page-facts.js';
import type { RobotsFile } from '../facts/site-facts.js';
import { SiteGathering } from '../gather-site.js';
import { crawlDelaySeconds, robotsVerdict } from '../robots/robots-verdict.js';
import { siteDomain } from '../site-domain.js';
import { AuditFetcher } from './audit-fetcher.js';
import type {
  ChecksPart,
  CrawlPart,
  OpeningPart,
  OwnerPart,
  ProbesPart,
  SamplesPart,
  SitemapsPart,
  StylesPart,
} from './audit-parts.js';
import type { AuditPorts } from './audit-ports.js';
import { CheckQueue } from './check-queue.js';
import { checkTarget } from './check-target.js';
import { crawlPage, type PageCrawler } from './crawl-page.js';
import { crawlUrl, isHidden } from './crawl-url.js';
import { Frontier, type FrontierEntry } from './frontier.js';
import { HostGate } from './host-gate.js';
import { probeAsOwner } from './owner-probes.js';
import { readRobots } from './read-robots.js';
import { readSitemap, type SitemapAsk } from './read-sitemap.js';
import { readStyles, STYLE_LIMITS } from './read-styles.js';
import { SilentHosts } from './silent-hosts.js';
import { isSlow, type KnownPages, probeSite, samplePages } from './site-probes.js';
import { SitemapQueue } from './sitemap-queue.js';
import { isOwner } from './verify-owner.js';

export interface SiteCrawlOptions {
  readonly url: string;
  readonly options: AuditOptions;
  readonly ports: AuditPorts;
  readonly signal: AbortSignal;
  /** The tenant whose proof of ownership is checked. */
  readonly tenantId?: string;
}

/** Pages that later probes may request again: the first ones, and as many slow ones. */
const KNOWN_PAGES_MAX = 50;
/** Pages between two yields to the event loop. */
const PAGES_PER_TURN = 5;
/** Header values are mostly the same on every page of a site, so their redacted form is cached. */
const TEXTS_REMEMBERED = 1_000;

export class SiteCrawl {
  readonly #given: SiteCrawlOptions;
  readonly #redactor: Redactor = createRedactor({ remembered: TEXTS_REMEMBERED });
  readonly #gate: HostGate;
  readonly #fetcher: AuditFetcher;
  readonly #robots = new Map<string, RobotsFile>();
  readonly #pendingRobots = new Map<string, Promise<RobotsFile>>();
  readonly #known: KnownPages[number][] = [];
  readonly #silentHosts = new SilentHosts();
  #opening: OpeningPart | undefined;
  #frontier: Frontier | undefined;
  #gathering: SiteGathering | undefined;
  #sitemaps: SitemapQueue | undefined;
  #checks: CheckQueue | undefined;

  constructor(given: SiteCrawlOptions) {
    const { options, ports, signal } = given;
    this.#given = given;
    this.#gate = new HostGate({ concurrency: options.concurrency, delayMs: options.delayMs }, ports.clock);
    this.#fetcher = new AuditFetcher({
      ...{ ports, signal, gate: this.#gate, redactor: this.#redactor },
      userAgent: options.userAgent,
    });
  }

  get frontier(): Frontier {
    return requireOpened(this.#frontier);
  }

  get sitemaps(): SitemapQueue {
    return requireOpened(this.#sitemaps);
  }

  get checks(): CheckQueue {
    this.#checks ??= new CheckQueue(requireOpened(this.#gathering), {
      ...this.#given.options,
      allowed: (url) => this.#decide(url).allowed,
    });
    return this.#checks;
  }

  /** robots.txt, then the start URL. Rejects if the start URL gives no HTTP response. */
  async makeOpening(): Promise<OpeningPart> {
    const { url, options, ports } = this.#given;
    const verdict = ports.egress.policy.judgeUrl(url);
    if (!verdict.ok) throw refusalError(verdict.refusal);
    const startUrl = crawlUrl(verdict.target.url);
    const measuredAt = new Date(ports.clock.now()).toISOString();
    const domain = siteDomain(verdict.target.url);
    await this.#loadAllRobots([startUrl]);
    const entry: FrontierEntry = { url: startUrl, depth: 0, foundBy: 'start', foundOn: null };
    const robots = this.#robots.get(new URL(startUrl).origin);
    const [first, second] = await crawlPage(this.#crawler(domain), entry, robots?.fetch.status === null);
    if (first?.fetch?.error && first.fetch.redirects.length === 0) throw startFailure(first.fetch.error);
    // If the start URL redirects to another site, that site is audited.
    const end =
      second?.url ?? (first?.fetch?.status != null ? crawlUrl(new URL(first.fetch.finalUrl)) : startUrl);
    const home = siteDomain(new URL(end)) === domain ? undefined : await this.#openElsewhere(end);
    const homeUrl = home?.at(-1)?.url ?? end;
    await this.#loadAllRobots([homeUrl]);
    const pages = [first, second, ...(home ?? [])]
      .filter((page) => page !== undefined)
      .map((page) => this.#withRobots(page));
    return {
      startUrl,
      homeUrl,
      domain: siteDomain(new URL(homeUrl)),
      measuredAt,
      options,
      pages,
      robots: [...this.#robots.values()],
    };
  }

  applyOpening(part: OpeningPart): void {
    const { pages, depth } = this.#given.options;
    this.#opening = part;
    this.#frontier = new Frontier({ domain: part.domain, pages, depth });
    this.#gathering = new SiteGathering(part.domain);
    this.#sitemaps = new SitemapQueue(new URL(part.homeUrl).origin);
    for (const file of part.robots) this.#keepRobots(file);
    for (const page of part.pages) {
      this.frontier.note(page.url);
      this.#take(page, 0);
    }
    this.sitemaps.start(this.#robots.get(new URL(part.homeUrl).origin));
  }

  async makeSitemaps(asks: readonly SitemapAsk[]): Promise<SitemapsPart> {
    const { clock } = this.#given.ports;
    const read = await Promise.all(asks.map((ask) => readSitemap(this.#fetcher, ask, () => clock.sleep(0))));
    return this.sitemaps.part(read);
  }

  applySitemaps(part: SitemapsPart): void {
    this.sitemaps.apply(part);
    for (const { url, sitemap } of part.entries) this.frontier.addListed(url, sitemap);
  }

  async makeCrawl(entries: readonly FrontierEntry[]): Promise<CrawlPart> {
    const { domain } = requireOpened(this.#opening);
    const loaded = await this.#loadAllRobots(entries.map(({ url }) => url));
    const known = new Set(this.#robots.keys());
    const crawler = this.#crawler(domain);
    const pages = await Promise.all(
      entries.map(async (entry, at) => {
        await this.#yieldTurns(Math.floor(at / PAGES_PER_TURN));
        return crawlPage(crawler, entry);
      }),
    );
    // Origins reached by a redirect also belong to this part, or to another one that reached them at the same time.
    const byRedirect = [...this.#robots.values()].filter(({ origin }) => !known.has(origin));
    return { pages: pages.flat(), robots: [...loaded, ...byRedirect] };
  }

  async applyCrawl(part: CrawlPart): Promise<void> {
    for (const file of part.robots) this.#keepRobots(file);
    for (const [at, page] of part.pages.entries()) {
      if (at % PAGES_PER_TURN === PAGES_PER_TURN - 1) await this.#yieldTurns(1);
      // A redirect may end on a page that was already crawled; the first one is kept.
      if (page.foundBy === 'redirect') {
        if (this.frontier.has(page.url)) continue;
        this.frontier.note(page.url);
      }
      this.#take(page, page.depth);
    }
  }

  async makeStyles(): Promise<StylesPart> {
    const sheets = [...requireOpened(this.#gathering).targets.values()]
      .filter(({ internal, roles }) => internal && roles.includes('style'))
      .map(({ url }) => url)
      .filter((url) => !isHidden(url) && this.#decide(url).allowed);
    const count = Math.min(STYLE_LIMITS.sheets, this.#given.options.checks);
    return readStyles(this.#fetcher, sheets.slice(0, count));
  }

  applyStyles(part: StylesPart): void {
    requireOpened(this.#gathering).addStyles(part);
  }

  async makeChecks(urls: readonly string[]): Promise<ChecksPart> {
    const check = (url: string) => this.#silentHosts.check(url, () => checkTarget(this.#fetcher, url));
    return { checks: await Promise.all(urls.map(check)) };
  }

  async makeProbes(): Promise<ProbesPart> {
    const { ports, signal } = this.#given;
    const options = { pages: this.#known, signal, alpn: ports.alpn };
    return { probes: await probeSite(this.#fetcher, requireOpened(this.#opening), options) };
  }

  async makeSamples(): Promise<SamplesPart> {
    return { samples: await samplePages(this.#fetcher, this.#known) };
  }

  async makeOwner(): Promise<OwnerPart> {
    const { options, tenantId, ports, signal } = this.#given;
    const { homeUrl } = requireOpened(this.#opening);
    const owner = { fetcher: this.#fetcher, signal, textRecords: ports.textRecords };
    const verified =
      options.ownSite || (tenantId !== undefined && (await isOwner({ homeUrl, tenantId }, owner)));
    if (!verified) return { verified, agents: null, leaks: null };
    const scripts = [...requireOpened(this.#gathering).targets.values()]
      .filter(({ internal, roles }) => internal && roles.includes('script'))
      .map(({ url }) => url);
    return { verified, ...(await probeAsOwner(this.#fetcher, homeUrl, scripts)) };
  }

  async #openElsewhere(url: string): Promise<PageFacts[]> {
    await this.#loadAllRobots([url]);
    const entry: FrontierEntry = { url, depth: 0, foundBy: 'redirect', foundOn: this.#given.url };
    return crawlPage(this.#crawler(siteDomain(new URL(url))), entry, true);
  }

  /** Decided again once the robots.txt of the final URL is known. */
  #withRobots(page: PageFacts): PageFacts {
    return { ...page, robots: this.#decide(page.url) };
  }

  #crawler(domain: string): PageCrawler {
    return {
      fetcher: this.#fetcher,
      documents: this.#given.ports.documents,
      domain,
      robots: (url) => this.#decide(url),
      mayFollow: (to) => this.#mayFollow(to, domain),
    };
  }

  /** Links to other sites are only checked; their robots.txt is not read. */
  async #mayFollow(to: URL, domain: string): Promise<boolean> {
    if (siteDomain(to) !== domain) return true;
    if (!this.#robots.has(to.origin)) await this.#loadRobots(to.origin, true);
    return this.#decide(to.href).allowed;
  }

  #decide(url: string): RobotsDecision {
    const file = this.#robots.get(new URL(url).origin);
    if (!file) return { allowed: true, line: null, rule: null };
    return robotsVerdict(file, agentToken(this.#given.options.userAgent), url);
  }

  /** Reads the robots.txt of new origins before anything else is requested from them. */
  async #loadAllRobots(urls: readonly string[]): Promise<RobotsFile[]> {
    const origins = [...new Set(urls.map((url) => new URL(url).origin))].filter(
      (origin) => !this.#robots.has(origin),
    );
    return Promise.all(origins.map((origin) => this.#loadRobots(origin, false)));
  }

  /**
   * Reads the file once, however many pages lead there at the same time. A request that already runs at the host is
   * ungated, so that it does not wait for one that is still queued.
   */
  async #loadRobots(origin: string, ungated: boolean): Promise<RobotsFile> {
    const key = `${origin} ${ungated}`;
    const pending = this.#pendingRobots.get(key) ?? readRobots(this.#fetcher, origin, ungated);
    this.#pendingRobots.set(key, pending);
    try {
      const file = await pending;
      this.#keepRobots(file);
      return file;
    } finally {
      this.#pendingRobots.delete(key);
    }
  }

  #keepRobots(file: RobotsFile): void {
    const { options } = this.#given;
    this.#robots.set(file.origin, file);
    const seconds = crawlDelaySeconds(file.groups, agentToken(options.userAgent));
    if (seconds === null) return;
    const delayMs = Math.max(options.delayMs, Math.min(seconds * 1000, CRAWL_DELAY_MAX_MS));
    this.#gate.set(new URL(file.origin).host, { concurrency: 1, delayMs });
  }

  /** Yields to the event loop. */
  async #yieldTurns(count: number): Promise<void> {
    const { clock } = this.#given.ports;
    // Without the signal, to which a batch would add too many listeners; the next request checks it.
    for (let turn = 0; turn < count; turn += 1) await clock.sleep(0);
  }

  #take(page: PageFacts, depth: number | null): void {
    requireOpened(this.#gathering).addPage(page);
    if (page.fetch) this.#silentHosts.note(page.fetch);
    this.frontier.addPage(page, depth);
    const room = isSlow(page) ? KNOWN_PAGES_MAX * 2 : KNOWN_PAGES_MAX;
    if (page.document && this.#known.length < room) this.#known.push(page);
  }
}

function requireOpened<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the crawl has not been opened');
  return part;
}

function startFailure({ code, message }: { code: string; message: string }): SondeError {
  const known = code as ConstructorParameters<typeof SondeError>[0];
  return new SondeError(known, `the start URL does not respond: ${message}`);
}
