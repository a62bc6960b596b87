/**
 * Crawls one URL: checks it and its redirects against robots.txt, then fetches and reads it. Returns one page, or two
 * if a redirect ends within the site or is not followed there.
 */
import { isRedirect } from '../../net/index.js';
import { tryUrl } from '../../try-url.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import { headerOf } from '../facts/fetch-facts.js';
import type { DocumentFacts, PageFacts, RobotsDecision } from '../facts/page-facts.js';
import { siteDomain } from '../site-domain.js';
import { type AuditFetcher, isHtml } from './audit-fetcher.js';
import type { DocumentReader } from './audit-ports.js';
import { crawlUrl } from './crawl-url.js';
import type { FrontierEntry } from './frontier.js';

export interface PageCrawler {
  readonly fetcher: AuditFetcher;
  readonly documents: DocumentReader;
  readonly domain: string;
  robots(url: string): RobotsDecision;
  /** Whether robots.txt allows following a redirect; the robots.txt of a new origin is read first. */
  mayFollow(to: URL): Promise<boolean>;
}

/** `always`: requests the start URL regardless of robots.txt, because the audit must know whether it responds. */
export async function crawlPage(
  crawler: PageCrawler,
  entry: FrontierEntry,
  always = false,
): Promise<PageFacts[]> {
  const { url, depth, foundBy, foundOn } = entry;
  const robots = crawler.robots(url);
  const place = { url, depth, foundBy, foundOn, robots };
  const nothing = { document: null, documentFault: null, samples: null } as const;
  if (!robots.allowed && !always) return [{ ...place, fetch: null, ...nothing }];
  const { facts, bytes } = await crawler.fetcher.fetch({
    ...{ url, keep: 'html' },
    ...(!always && { mayFollow: (to: URL) => crawler.mayFollow(to) }),
  });
  if (facts.redirects.length === 0)
    return [{ ...place, fetch: facts, ...(await read(crawler, url, { facts, bytes })), samples: null }];
  const redirected: PageFacts = { ...place, fetch: facts, ...nothing };
  const finalUrl = facts.status === null ? null : endInside(facts, crawler.domain);
  if (finalUrl === null || finalUrl === url) return [redirected];
  const end = {
    url: finalUrl,
    depth,
    foundBy: 'redirect',
    foundOn: url,
    robots: crawler.robots(finalUrl),
  } as const;
  if (isRedirect(facts.status ?? 0)) return [redirected, { ...end, fetch: null, ...nothing }];
  const final: PageFacts = {
    ...end,
    fetch: { ...facts, url: finalUrl, finalUrl, redirects: [] },
    ...(await read(crawler, finalUrl, { facts, bytes })),
    samples: null,
  };
  return [redirected, final];
}

function endInside(facts: FetchFacts, domain: string): string | null {
  const url = tryUrl(facts.finalUrl);
  if (!url) return null;
  return siteDomain(url) === domain ? crawlUrl(url) : null;
}

async function read(
  crawler: PageCrawler,
  url: string,
  { facts, bytes }: { facts: FetchFacts; bytes: Uint8Array | null },
): Promise<{ document: DocumentFacts | null; documentFault: PageFacts['documentFault'] }> {
  const contentType = headerOf(facts, 'content-type');
  if (!bytes || !isHtml(contentType ?? '')) return { document: null, documentFault: null };
  const { document, fault } = await crawler.documents.read({
    bytes,
    url,
    contentType,
    domain: crawler.domain,
  });
  return { document, documentFault: fault };
}
