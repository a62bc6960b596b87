/** Reads the record of an audit: the site, and its pages one part at a time. The first page of each URL is kept. */
import { SondeError } from '../../errors.js';
import type { AuditRecord } from '../audit-record.js';
import {
  type ChecksPart,
  type CrawlPart,
  type EndPart,
  type OpeningPart,
  type OwnerPart,
  PART_NAMES,
  type ProbesPart,
  type SamplesPart,
  type SitemapsPart,
  type StylesPart,
} from '../crawl/audit-parts.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { PageFacts } from '../facts/page-facts.js';
import type { RobotsFile, SitemapEntry, SitemapFacts, SiteRecord } from '../facts/site-facts.js';

/** More parts of a kind than any audit can write. */
const PARTS_MAX = 100_000;

/** Defaults for a record that ended before these steps. */
const NOT_PROBED: ProbesPart = {
  probes: { hostVariants: [], notFound: null, slashVariants: [], alpn: null, llmsTxt: null },
};
const NOT_VERIFIED: OwnerPart = { verified: false, agents: null, leaks: null };

/** Whether there is anything to score. */
export async function hasOpening(record: AuditRecord): Promise<boolean> {
  return (await record.get(PART_NAMES.opening)) !== undefined;
}

/** The site without its robots files, which are recorded with the pages (`RobotsFiles`). */
export async function readSiteRecord(
  record: AuditRecord,
  isPartial = false,
): Promise<Omit<SiteRecord, 'robots'>> {
  const read = <T>(name: string, missing: T): Promise<T> =>
    isPartial ? partOr(record, name, missing) : part<T>(record, name);
  const opening = await part<OpeningPart>(record, PART_NAMES.opening);
  const end = await read<EndPart>(PART_NAMES.end, { leftByPages: 0, leftByDepth: 0, leftUnchecked: 0 });
  const { probes } = await read<ProbesPart>(PART_NAMES.probes, NOT_PROBED);
  const { verified, agents, leaks } = await read<OwnerPart>(PART_NAMES.owner, NOT_VERIFIED);
  const { startUrl, homeUrl, domain, measuredAt, options } = opening;
  const { origin } = new URL(homeUrl);
  return {
    ...{ startUrl, homeUrl, origin, domain, measuredAt, verified },
    crawl: { userAgent: options.userAgent, pagesMax: options.pages, depthMax: options.depth, ...end },
    ...(await readSitemaps(record)),
    probes: { ...probes, agents, leaks },
    checks: await readChecks(record),
  };
}

/** Pages in crawl order. */
export async function* readPages(record: AuditRecord): AsyncGenerator<CrawlPart> {
  const { samples } = await partOr<SamplesPart>(record, PART_NAMES.samples, { samples: {} });
  const seen = new Set<string>();
  const unseen = (pages: readonly PageFacts[]): PageFacts[] =>
    pages.flatMap((page) => {
      if (seen.has(page.url)) return [];
      seen.add(page.url);
      return [{ ...page, samples: samples[page.url] ?? null }];
    });
  const opening = await part<OpeningPart>(record, PART_NAMES.opening);
  yield { pages: unseen(opening.pages), robots: opening.robots };
  for await (const { pages, robots } of parts<CrawlPart>(record, PART_NAMES.crawl)) {
    yield { pages: unseen(pages), robots };
  }
}

/** One file per origin, the first that was read; the home origin comes first. */
export class RobotsFiles {
  readonly #files = new Map<string, RobotsFile>();

  add(files: readonly RobotsFile[]): void {
    for (const file of files) if (!this.#files.has(file.origin)) this.#files.set(file.origin, file);
  }

  from(home: string): RobotsFile[] {
    const all = [...this.#files.values()];
    return [...all.filter(({ origin }) => origin === home), ...all.filter(({ origin }) => origin !== home)];
  }
}

async function readSitemaps(
  record: AuditRecord,
): Promise<Pick<SiteRecord, 'sitemaps' | 'sitemapEntries' | 'sitemapEntriesCut'>> {
  const sitemaps: SitemapFacts[] = [];
  const sitemapEntries: SitemapEntry[] = [];
  let sitemapEntriesCut = false;
  for await (const { files, entries, entriesCut } of parts<SitemapsPart>(record, PART_NAMES.sitemaps)) {
    for (const { facts } of files) sitemaps.push(facts);
    for (const entry of entries) sitemapEntries.push(entry);
    sitemapEntriesCut ||= entriesCut;
  }
  return { sitemaps, sitemapEntries, sitemapEntriesCut };
}

/** A record that was cut off does not have this part. */
export async function readStyles(record: AuditRecord): Promise<StylesPart> {
  return partOr<StylesPart>(record, PART_NAMES.styles, { checks: [], references: [] });
}

async function readChecks(record: AuditRecord): Promise<FetchFacts[]> {
  const all: FetchFacts[] = [];
  for await (const { checks } of parts<ChecksPart>(record, PART_NAMES.checks)) all.push(...checks);
  return all;
}

async function part<T>(record: AuditRecord, name: string): Promise<T> {
  const value = await record.get(name);
  if (value === undefined) throw new SondeError('INTERNAL', `the audit's record has no part ${name}`);
  return value as T;
}

async function partOr<T>(record: AuditRecord, name: string, missing: T): Promise<T> {
  return ((await record.get(name)) as T | undefined) ?? missing;
}

async function* parts<T>(record: AuditRecord, name: (at: number) => string): AsyncGenerator<T> {
  for (let at = 0; at < PARTS_MAX; at += 1) {
    const value = await record.get(name(at));
    if (value === undefined) return;
    yield value as T;
  }
}
