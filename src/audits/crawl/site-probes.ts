/**
 * Requests that test specific behaviour of a site, outside the crawl. Every response is a fact; none fails the audit.
 */

import { hashParts } from '../../net/index.js';
import { isIndexable } from '../directives.js';
import { headerOf } from '../facts/fetch-facts.js';
import type { PageFacts, PageSamples } from '../facts/page-facts.js';
import type { SiteProbes, SiteRecord } from '../facts/site-facts.js';
import type { AuditFetcher } from './audit-fetcher.js';
import type { AlpnProbe } from './audit-ports.js';

const LLMS_BYTES_MAX = 200_000;
const LLMS_TEXT_MAX = 20_000;
const VARIANTS_MAX = 5;
const SAMPLES_MAX = 5;
/** A page that was slow once is requested again before it is reported as slow. */
const SLOW_MAX = 10;
const SLOW_MS = 800;

export type ProbedSite = Pick<SiteRecord, 'homeUrl' | 'domain' | 'measuredAt'>;

/** Crawled pages that can be requested again, in crawl order. */
export type KnownPages = readonly Pick<PageFacts, 'url' | 'fetch' | 'document'>[];

export async function probeSite(
  fetcher: AuditFetcher,
  site: ProbedSite,
  options: { readonly pages: KnownPages; readonly alpn: AlpnProbe | undefined; readonly signal: AbortSignal },
): Promise<Omit<SiteProbes, 'agents' | 'leaks'>> {
  const { origin, protocol } = new URL(site.homeUrl);
  const missing = `${origin}/sonde-check-${hashParts([site.domain, site.measuredAt]).slice(0, 16)}`;
  const slashed = slashVariants(options.pages);
  const [hostVariants, notFound, slashFacts, llms, negotiated] = await Promise.all([
    Promise.all(hostVariantUrls(site).map(async (url) => (await fetcher.fetch({ url, keep: 'none' })).facts)),
    fetcher.fetch({ url: missing, keep: 'none' }),
    Promise.all(slashed.map(({ variantUrl }) => fetcher.fetch({ url: variantUrl, keep: 'html' }))),
    fetcher.fetch({ url: `${origin}/llms.txt`, keep: 'any', bodyBytes: LLMS_BYTES_MAX }),
    protocol === 'https:' ? options.alpn?.negotiated(origin, options.signal) : undefined,
  ]);
  const llmsText = llms.facts.status === 200 && llms.bytes ? new TextDecoder().decode(llms.bytes) : '';
  return {
    hostVariants,
    notFound: notFound.facts,
    slashVariants: slashed.flatMap(({ pageUrl }, index) => {
      const variant = slashFacts[index]?.facts;
      return variant ? [{ pageUrl, variant }] : [];
    }),
    alpn: negotiated === undefined ? null : { origin, negotiated },
    llmsTxt: { fetch: llms.facts, text: llmsText.slice(0, LLMS_TEXT_MAX) },
  };
}

/** The combinations of http/https and apex/www; a non-default port or an address has no variants. */
function hostVariantUrls({ homeUrl, domain }: ProbedSite): string[] {
  const { hostname, port } = new URL(homeUrl);
  if (port !== '' || !hostname.includes('.') || !/[a-z]/i.test(hostname) || hostname.startsWith('['))
    return [];
  const hosts = hostname === domain || hostname === `www.${domain}` ? [domain, `www.${domain}`] : [hostname];
  return hosts.flatMap((host) => [`http://${host}/`, `https://${host}/`]);
}

function slashVariants(pages: KnownPages): { pageUrl: string; variantUrl: string }[] {
  const found: { pageUrl: string; variantUrl: string }[] = [];
  for (const page of pages) {
    const url = new URL(page.url);
    const plain = url.pathname !== '/' && url.search === '' && !/\.\w+$/.test(url.pathname);
    if (!plain || !page.document || !isIndexable(page)) continue;
    url.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`;
    found.push({ pageUrl: page.url, variantUrl: url.href });
    if (found.length === VARIANTS_MAX) break;
  }
  return found;
}

/** Requests the first pages again: twice for the time to first byte, once with their validators. */
export async function samplePages(
  fetcher: AuditFetcher,
  pages: KnownPages,
): Promise<Record<string, PageSamples>> {
  const candidates = pages.filter(({ fetch, document }) => document && fetch?.status === 200);
  const first = candidates.slice(0, SAMPLES_MAX);
  const sampled = [...first, ...candidates.slice(SAMPLES_MAX).filter(isSlow).slice(0, SLOW_MAX)];
  const samples = await Promise.all(
    sampled.map(async (page) => [page.url, await sample(fetcher, page)] as const),
  );
  return Object.fromEntries(samples);
}

export function isSlow({ fetch }: Pick<PageFacts, 'fetch'>): boolean {
  return (fetch?.ttfbMs ?? 0) > SLOW_MS;
}

async function sample(fetcher: AuditFetcher, { url, fetch }: KnownPages[number]): Promise<PageSamples> {
  const again = [
    await fetcher.fetch({ url, keep: 'none', tries: 1 }),
    await fetcher.fetch({ url, keep: 'none', tries: 1 }),
  ];
  const etag = fetch && headerOf(fetch, 'etag');
  const modified = fetch && headerOf(fetch, 'last-modified');
  const headers = [
    ...(etag ? [['if-none-match', etag] as const] : []),
    ...(modified ? [['if-modified-since', modified] as const] : []),
  ];
  const revalidated =
    headers.length === 0 ? null : await fetcher.fetch({ url, keep: 'none', tries: 1, headers });
  return {
    ttfbMs: [fetch?.ttfbMs, ...again.map(({ facts }) => facts.ttfbMs)].filter((ms) => typeof ms === 'number'),
    revalidationStatus: revalidated?.facts.status ?? null,
  };
}
