/**
 * Facts for rule tests, made by the real extractor from real markup: `page({ html })` is a page that returned 200,
 * `site({ … })` a site without faults, and every part can be replaced. `outcomeOf` runs one rule.
 */
import { extractDocument } from '../../src/audits/extract/extract-document.js';
import type { FetchFacts } from '../../src/audits/facts/fetch-facts.js';
import type { PageFacts } from '../../src/audits/facts/page-facts.js';
import type { RobotsFile, SiteFacts, SiteRecord } from '../../src/audits/facts/site-facts.js';
import { SiteGathering } from '../../src/audits/gather-site.js';
import { parseRobots } from '../../src/audits/robots/parse-robots.js';
import { notApplicable, type Outcome, type Rule } from '../../src/audits/rule.js';
import { concerns } from '../../src/audits/run-rules.js';
import { siteDomain } from '../../src/audits/site-domain.js';
import { createRedactor } from '../../src/net/index.js';

const redactor = createRedactor();

export const ORIGIN = 'https://www.example.com';

/** Returns a response; 200 with HTML headers by default. */
export function fetched(url: string, facts: Partial<FetchFacts> = {}): FetchFacts {
  const failed = facts.error !== undefined && facts.error !== null;
  return {
    url,
    method: 'GET',
    status: failed ? null : 200,
    error: null,
    finalUrl: facts.redirects?.at(-1)?.toUrl ?? url,
    redirects: [],
    headers: failed ? [] : [['content-type', 'text/html; charset=utf-8']],
    cookies: [],
    ttfbMs: failed ? null : 20,
    totalMs: 30,
    bodyBytes: failed ? null : 1000,
    wireBytes: failed ? null : 700,
    truncated: false,
    bodySha256: null,
    attempts: 1,
    tls: null,
    ...facts,
  };
}

export interface HtmlPageOptions extends Partial<Omit<PageFacts, 'fetch'>> {
  readonly html?: string;
  readonly status?: number;
  readonly headers?: FetchFacts['headers'];
  readonly fetch?: Partial<FetchFacts> | null;
}

/** Returns a page from its path or URL and its markup. Without `html` it is a response without a document. */
export function page(path: string, parts: HtmlPageOptions = {}): PageFacts {
  const { html, status, headers, fetch: fetchParts, ...rest } = parts;
  const url = new URL(path, ORIGIN).href;
  const fetch =
    fetchParts === null
      ? null
      : fetched(url, {
          ...(html !== undefined && { bodyBytes: new TextEncoder().encode(html).length }),
          ...(status !== undefined && { status }),
          ...(headers && { headers }),
          ...fetchParts,
        });
  const contentType = fetch?.headers.find(([name]) => name === 'content-type')?.[1] ?? null;
  return {
    url,
    depth: url === `${ORIGIN}/` ? 0 : 1,
    foundBy: url === `${ORIGIN}/` ? 'start' : 'link',
    foundOn: url === `${ORIGIN}/` ? null : `${ORIGIN}/`,
    robots: { allowed: true, line: null, rule: null },
    fetch,
    document:
      html === undefined
        ? null
        : extractDocument(
            { bytes: new TextEncoder().encode(html), url, contentType, domain: siteDomain(new URL(ORIGIN)) },
            redactor.text,
          ),
    documentFault: null,
    samples: null,
    ...rest,
  };
}

/** Returns a robots.txt as the crawl records it. */
export function robotsFile(text: string, facts: Partial<FetchFacts> = {}, origin = ORIGIN): RobotsFile {
  const fetch = fetched(`${origin}/robots.txt`, { headers: [['content-type', 'text/plain']], ...facts });
  return { origin, fetch, bytes: text.length, ...parseRobots(text) };
}

export interface SiteParts extends Partial<Omit<SiteRecord, 'probes'>> {
  readonly probes?: Partial<SiteRecord['probes']>;
  readonly pages?: readonly PageFacts[];
}

/** Returns a site without faults: an open robots.txt, a 404 for missing pages, nothing else probed. */
export function site(parts: SiteParts = {}): SiteFacts {
  const { probes, pages = [], ...rest } = parts;
  const record: SiteRecord = {
    startUrl: `${ORIGIN}/`,
    homeUrl: `${ORIGIN}/`,
    origin: ORIGIN,
    domain: siteDomain(new URL(ORIGIN)),
    measuredAt: '2026-11-15T12:00:00.000Z',
    crawl: {
      userAgent: 'SondeBot/1.0',
      pagesMax: 100,
      depthMax: 10,
      leftByPages: 0,
      leftByDepth: 0,
      leftUnchecked: 0,
    },
    robots: [robotsFile('User-agent: *\nDisallow:\n')],
    sitemaps: [],
    sitemapEntries: [],
    sitemapEntriesCut: false,
    probes: {
      hostVariants: [],
      notFound: fetched(`${ORIGIN}/missing`, { status: 404 }),
      slashVariants: [],
      alpn: null,
      llmsTxt: null,
      agents: null,
      leaks: null,
      ...probes,
    },
    checks: [],
    verified: false,
    ...rest,
  };
  const gathering = new SiteGathering(record.domain);
  for (const page of pages) gathering.addPage(page);
  return gathering.finish(record);
}

/** Runs one rule like the runner: on one page (page rules) or on all pages of the site (site rules). */
export function outcomeOf(
  rule: Rule,
  pages: PageFacts | readonly PageFacts[],
  facts: SiteParts = {},
): Outcome {
  const list = 'url' in pages ? [pages] : pages;
  const whole = site({ ...facts, pages: list });
  if (rule.scope === 'site') return rule.run(list, whole);
  const [only] = list;
  if (!only || list.length > 1) throw new Error('a page rule takes exactly one page');
  if (!concerns(rule, only)) return notApplicable('a page of another kind');
  return rule.run(only, whole);
}
