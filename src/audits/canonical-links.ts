/** The canonical URLs that a page declares in its markup and headers, each with its place. */

import { tryUrl } from '../try-url.js';
import { crawlUrl } from './crawl/crawl-url.js';
import { type FetchFacts, headersOf } from './facts/fetch-facts.js';
import type { DocumentFacts } from './facts/page-facts.js';
import { parseLinkHeader } from './link-header.js';

export interface CanonicalLink {
  /** As written. */
  readonly href: string;
  /** Resolved, with its fragment; null if it is not an http(s) URL. */
  readonly url: string | null;
  readonly from: 'element' | 'header';
  readonly line: number | null;
  /** Always true for a header. */
  readonly inHead: boolean;
}

export function canonicalLinks(
  page: { readonly url: string; readonly fetch: Pick<FetchFacts, 'headers'> },
  document: Pick<DocumentFacts, 'links'>,
): CanonicalLink[] {
  const elements = document.links
    .filter(({ rel }) => rel.includes('canonical'))
    .map(({ href, url, line, inHead }) => ({
      href: href ?? '',
      url,
      from: 'element' as const,
      line,
      inHead,
    }));
  const headers = parseLinkHeader(headersOf(page.fetch, 'link'))
    .filter(({ rel }) => rel.includes('canonical'))
    .map(({ href }): CanonicalLink => {
      const url = tryUrl(href, page.url)?.href ?? null;
      return { href, url, from: 'header', line: null, inHead: true };
    });
  return [...elements, ...headers];
}

/** The canonical URLs that name another page than the one that declares them. */
export function canonicalsElsewhere(
  page: Parameters<typeof canonicalLinks>[0],
  document: Pick<DocumentFacts, 'links'>,
): (CanonicalLink & { readonly url: string })[] {
  return canonicalLinks(page, document).filter(
    (link): link is CanonicalLink & { url: string } =>
      link.url !== null && crawlUrl(new URL(link.url)) !== page.url,
  );
}

/** The URL under which a page asks to be indexed: its canonical if it names exactly one, else its own. */
export function indexedUrl(
  page: { readonly url: string; readonly fetch: Pick<FetchFacts, 'headers'> | null },
  document: Pick<DocumentFacts, 'links'>,
): string {
  const { url, fetch } = page;
  const named = fetch ? canonicalLinks({ url, fetch }, document).flatMap((link) => link.url ?? []) : [];
  const distinct = new Set(named.map((each) => crawlUrl(new URL(each))));
  const [only] = distinct;
  return only !== undefined && distinct.size === 1 ? only : url;
}
