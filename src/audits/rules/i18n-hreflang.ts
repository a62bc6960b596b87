/** Checks that versions of a page in other languages exist and link to each other. */

import { tryUrl } from '../../try-url.js';
import { indexedUrl } from '../canonical-links.js';
import { crawlUrl } from '../crawl/crawl-url.js';
import { headersOf } from '../facts/fetch-facts.js';
import { isHreflang } from '../language-tag.js';
import { parseLinkHeader } from '../link-header.js';
import { describeResponse, isUnreached } from '../reachability.js';
import { responseOf } from '../response-of.js';
import { type Evidence, failIfAny, notApplicable, type SitePage, siteRule } from '../rule.js';

type Page = SitePage<'fetch', 'links'>;

interface Alternate {
  readonly code: string;
  /** Null if it is not an http(s) URL. */
  readonly url: string | null;
  readonly href: string;
  readonly line: number | null;
}

export const i18nHreflang = siteRule({
  id: 'i18n.hreflang',
  title: '{n} hreflang {link is|links are} wrong',
  passTitle: 'hreflang links are consistent',
  category: 'i18n',
  severity: 'warn',
  weight: 5,
  why: 'A version that is not linked back is ignored, and readers get the wrong language.',
  fix: 'On every version, list all versions including the page itself, with valid language codes.',
  inputs: { pages: ['fetch'], documents: ['links'], site: ['responses'] },
  check({ pages, site: { responses } }) {
    const sets = new Map(pages.map((page) => [page.url, alternatesOf(page)]));
    // An alias of a page lists its canonical instead of itself, and need not be listed.
    const multilingual = pages.filter((page) => (sets.get(page.url)?.length ?? 0) > 0 && isItsOwn(page));
    if (multilingual.length === 0) return notApplicable('no page lists versions in other languages');
    const evidence = multilingual.flatMap(({ url }) => {
      const set = sets.get(url) ?? [];
      const found = set.flatMap((alternate) => alternateFaults(url, alternate, { sets, responses }));
      return [...setFaults(url, set), ...found];
    });
    const of = multilingual.reduce((sum, { url }) => sum + (sets.get(url)?.length ?? 0), 0);
    return failIfAny(evidence, { of });
  },
});

function isItsOwn(page: Page): boolean {
  return page.document === null || indexedUrl(page, page.document) === page.url;
}

function alternatesOf({ url, fetch, document }: Page): Alternate[] {
  if (fetch?.status !== 200) return [];
  const elements = (document?.links ?? []).flatMap((link) =>
    link.hreflang !== null && link.rel.includes('alternate')
      ? [{ code: link.hreflang, url: link.url, href: link.href ?? '', line: link.line }]
      : [],
  );
  const headers = parseLinkHeader(headersOf(fetch, 'link')).flatMap(({ href, rel, hreflang }) =>
    hreflang !== null && rel.includes('alternate')
      ? [{ code: hreflang, url: tryUrl(href, url)?.href ?? null, href, line: null }]
      : [],
  );
  return [...elements, ...headers].map((each) => ({ ...each, url: each.url && crawlUrl(new URL(each.url)) }));
}

/** Faults of a set as a whole. An x-default is optional. */
function setFaults(url: string, set: readonly Alternate[]): Evidence[] {
  if (set.some((each) => each.url === url)) return [];
  return [{ url, observed: 'the page does not list itself', expected: 'an alternate for the page itself' }];
}

function alternateFaults(
  url: string,
  { code, url: target, href, line }: Alternate,
  {
    sets,
    responses,
  }: { sets: ReadonlyMap<string, readonly Alternate[]>; responses: Parameters<typeof responseOf>[0] },
): Evidence[] {
  const place = { url, element: `hreflang="${code}" ${href}`, ...(line !== null && { line }) };
  if (!isHreflang(code))
    return [{ ...place, observed: code, expected: 'a language, optionally with a region, or x-default' }];
  if (target === null || !/^https?:\/\//i.test(href))
    return [{ ...place, observed: href, expected: 'an absolute URL' }];
  const response = responseOf(responses, target);
  if (response && (response.status !== 200 || response.redirects.length > 0)) {
    const observed =
      response.redirects.length > 0 ? `a redirect to ${response.finalUrl}` : describeResponse(response);
    return isUnreached(response) ? [] : [{ ...place, observed, expected: 'a page that returns 200' }];
  }
  const back = sets.get(target);
  if (back && target !== url && !back.some((each) => each.url === url)) {
    return [
      { ...place, observed: `${target} does not link back`, expected: 'a link back', related: [target] },
    ];
  }
  return [];
}
