/**
 * The facts of a site besides its pages. `SiteRecord` is what the crawl records; `SiteFacts` adds what is derived from
 * the record and the pages (`gather-site.ts`), so nothing is recorded twice. A probe that was not run is null, and its
 * rule returns "not measured".
 */
import type { AuditReport } from '../report/audit-report.js';
import type { SubresourceKind } from '../subresources.js';
import type { FetchFacts } from './fetch-facts.js';

export interface SiteRecord {
  readonly startUrl: string;
  /** Where the start URL's redirects ended: the page that gates and depth refer to. */
  readonly homeUrl: string;
  /** Origin of `homeUrl`. */
  readonly origin: string;
  /** Registrable domain by the public suffix list, or the host itself (addresses, `localhost`, bare suffixes). */
  readonly domain: string;
  /** When the crawl began, ISO 8601: the only clock that rules have. */
  readonly measuredAt: string;
  readonly crawl: CrawlFacts;
  /** One for each crawled origin, the home origin first. */
  readonly robots: readonly RobotsFile[];
  readonly sitemaps: readonly SitemapFacts[];
  /** Entries of all sitemaps, in order, limited (see `sitemapEntriesCut`). */
  readonly sitemapEntries: readonly SitemapEntry[];
  readonly sitemapEntriesCut: boolean;
  readonly probes: SiteProbes;
  /**
   * Results of HEAD (or GET, if HEAD was rejected or failed) for assets, external links and internal URLs not crawled.
   */
  readonly checks: readonly FetchFacts[];
  /** The tenant proved ownership of the host, or `--own-site` was given. */
  readonly verified: boolean;
}

export type CrawlFacts = AuditReport['crawl'];

export interface RobotsFile {
  readonly origin: string;
  readonly fetch: FetchFacts;
  /** Bytes of the file; 500 KiB (512,000) are read. */
  readonly bytes: number;
  readonly groups: readonly RobotsGroup[];
  /** `Sitemap:` lines. */
  readonly sitemaps: readonly { readonly url: string; readonly line: number }[];
  /** `Content-Signal:` lines with the agents of their group. */
  readonly contentSignals: readonly RobotsContentSignal[];
  readonly problems: readonly RobotsProblem[];
}

export interface RobotsGroup {
  /** Product tokens in lower case; `*` for all agents. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly crawlDelaySeconds: number | null;
  readonly line: number;
}

export interface RobotsRule {
  readonly allow: boolean;
  /** As written. */
  readonly path: string;
  readonly line: number;
}

export interface RobotsContentSignal {
  readonly agents: readonly string[];
  /** For example `search=yes, ai-train=no`. */
  readonly value: string;
  readonly line: number;
}

export interface RobotsProblem {
  readonly kind:
    | 'syntax'
    | 'unknown-directive'
    | 'rule-without-agent'
    | 'too-large'
    | 'bad-sitemap-url'
    | 'not-text';
  readonly line: number;
  /** The line, cut. */
  readonly text: string;
}

export interface SitemapFacts {
  readonly url: string;
  /** Where it was found. */
  readonly foundBy: 'robots' | 'default-place' | 'index';
  readonly foundOn: string | null;
  readonly fetch: FetchFacts;
  readonly kind: 'urlset' | 'index' | 'text' | 'feed' | 'unreadable';
  /** Size after unpacking. */
  readonly bytes: number;
  readonly entryCount: number;
  readonly problems: readonly SitemapProblem[];
  readonly problemCount: number;
}

export interface SitemapProblem {
  readonly kind:
    | 'xml'
    | 'not-a-sitemap'
    | 'too-many-urls'
    | 'too-large'
    | 'relative-url'
    | 'bad-url'
    | 'other-host'
    | 'bad-lastmod'
    | 'missing-loc'
    | 'nested-index'
    | 'gzip';
  readonly line: number;
  readonly observed: string;
}

export interface SitemapEntry {
  readonly url: string;
  readonly lastmod: string | null;
  /** URL of the sitemap file. */
  readonly sitemap: string;
  readonly line: number;
}

export interface SiteProbes {
  /** http and https of the apex and the www host, if the site can have them (an address cannot). */
  readonly hostVariants: readonly FetchFacts[];
  /** Response for a path that cannot exist. */
  readonly notFound: FetchFacts | null;
  /** Pages requested again with their trailing slash added or removed. */
  readonly slashVariants: readonly { readonly pageUrl: string; readonly variant: FetchFacts }[];
  /** The protocol that the server picks if a TLS client offers h2 and http/1.1; null if that cannot be tested. */
  readonly alpn: { readonly origin: string; readonly negotiated: string | null } | null;
  readonly llmsTxt: { readonly fetch: FetchFacts; readonly text: string } | null;
  /** The home page requested as other agents and as a browser; null unless the site is verified. */
  readonly agents: readonly { readonly agent: string; readonly fetch: FetchFacts }[] | null;
  /** Paths that should not be public; null unless the site is verified. */
  readonly leaks: readonly LeakProbe[] | null;
}

export interface LeakProbe {
  readonly path: string;
  readonly kind: 'git' | 'svn' | 'env' | 'credentials' | 'source-map';
  readonly fetch: FetchFacts;
  /** Whether the body looks like such a file: a ref, assignments, a source map. */
  readonly exposed: boolean;
}

/** The facts of a site that rules read. */
export interface SiteFacts extends SiteRecord {
  /** The last known response of every URL that was fetched or checked, by URL without fragment. */
  readonly responses: ReadonlyMap<string, FetchFacts>;
  /** Every URL that pages refer to, by URL without fragment, in order of first mention. */
  readonly targets: ReadonlyMap<string, TargetFacts>;
  /** Pages that ask search engines not to index them, by meta or header. */
  readonly noindexed: ReadonlySet<string>;
}

export type TargetRole = SubresourceKind | 'link' | 'canonical' | 'alternate' | 'social-image';

export interface TargetFacts {
  readonly url: string;
  readonly internal: boolean;
  readonly roles: readonly TargetRole[];
  /** The first twenty. */
  readonly referrers: readonly Referrer[];
  readonly referrerCount: number;
  /** Fragments that links point to, with the first twenty places of each. */
  readonly fragments: ReadonlyMap<string, readonly Referrer[]>;
}

export interface Referrer {
  readonly page: string;
  readonly line: number;
  readonly text: string;
}
