/** The parts of an audit's record: what each step writes, as JSON. */

import type { AuditOptions } from '../audit-options.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { PageFacts, PageSamples } from '../facts/page-facts.js';
import type {
  CrawlFacts,
  RobotsFile,
  SitemapEntry,
  SitemapFacts,
  SiteProbes,
  SiteRecord,
} from '../facts/site-facts.js';

export interface OpeningPart
  extends CrawlPart,
    Pick<SiteRecord, 'startUrl' | 'homeUrl' | 'domain' | 'measuredAt'> {
  readonly options: AuditOptions;
}

export interface SitemapsPart {
  readonly files: readonly { readonly facts: SitemapFacts; readonly children: readonly string[] }[];
  readonly entries: readonly SitemapEntry[];
  readonly entriesCut: boolean;
}

export interface CrawlPart {
  readonly pages: readonly PageFacts[];
  /** robots.txt of origins that this part met first. */
  readonly robots: readonly RobotsFile[];
}

/** The site's stylesheets and what they load. */
export interface StylesPart extends ChecksPart {
  readonly references: readonly StyleReference[];
}

export interface StyleReference {
  readonly sheet: string;
  readonly url: string;
  readonly kind: 'font' | 'image' | 'style';
  readonly line: number;
}

export interface ChecksPart {
  readonly checks: readonly FetchFacts[];
}

export interface ProbesPart {
  readonly probes: Omit<SiteProbes, 'agents' | 'leaks'>;
}

export interface SamplesPart {
  readonly samples: Readonly<Record<string, PageSamples>>;
}

export interface OwnerPart {
  readonly verified: boolean;
  readonly agents: SiteProbes['agents'];
  readonly leaks: SiteProbes['leaks'];
}

/** What the limits of the crawl left out. */
export type EndPart = Pick<CrawlFacts, 'leftByPages' | 'leftByDepth' | 'leftUnchecked'>;

export const PART_NAMES = {
  opening: 'opening',
  sitemaps: (at: number) => `sitemaps/${at}`,
  crawl: (at: number) => `crawl/${at}`,
  styles: 'styles',
  checks: (at: number) => `checks/${at}`,
  probes: 'probes',
  samples: 'samples',
  owner: 'owner',
  end: 'end',
  report: 'report',
} as const;
