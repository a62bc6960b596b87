/** Checks that links within the site lead to pages and anchors that exist. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { TargetFacts } from '../facts/site-facts.js';
import { isBrokenInternally, Reachability, unmeasuredNote } from '../reachability.js';
import { type Evidence, failIfAny, notApplicable, siteRule } from '../rule.js';
import { ASSET_ROLES } from './asset-rules.js';

const GONE = new Set([404, 410]);

export const linkBrokenInternal = siteRule({
  id: 'link.broken-internal',
  title: '{n} internal {link is|links are} broken',
  passTitle: 'Internal links work',
  category: 'links',
  severity: 'error',
  weight: 8,
  why: 'A broken link is a dead end for readers and crawlers.',
  fix: 'Correct the link, or restore the page or the anchor.',
  inputs: { pages: ['fetch'], documents: ['ids', 'cut'], site: ['targets', 'responses', 'origin'] },
  check({ pages, site }) {
    const links = [...site.targets.values()].filter(
      ({ internal, roles }) => internal && roles.includes('link'),
    );
    if (links.length === 0) return notApplicable('no page links to another');
    const crawled = new Map(pages.map((page) => [page.url, page]));
    const reachability = new Reachability(site);
    const unmeasured: string[] = [];
    const evidence = links.flatMap((target) => {
      const response = site.responses.get(target.url);
      if (!response) return [];
      const page = crawled.get(target.url);
      // If a crawled page fails for another reason than being gone, its own rule reports that.
      if (page && !GONE.has(response.status ?? 200)) return brokenAnchors(target, page.document);
      const reach = reachability.judge(response, isBrokenInternally);
      if (reach.state === 'not-measured') unmeasured.push(target.url);
      // A file that pages also load is reported by its own rule.
      const isFile = target.roles.some((role) => ASSET_ROLES.has(role));
      return reach.state === 'broken' && !isFile ? [brokenLink(target, response, reach.observed)] : [];
    });
    const of = links.reduce((sum, { fragments }) => sum + 1 + fragments.size, 0);
    const long = pages.filter(({ document }) => document?.cut.includes('anchors')).map(({ url }) => url);
    const notes = [
      ...(unmeasured.length > 0 ? [unmeasuredNote(['link', 'links'], unmeasured)] : []),
      ...(long.length > 0 ? [`only the first links of ${long.join(', ')} were checked`] : []),
    ];
    return failIfAny(evidence, { of, ...(notes.length > 0 && { note: notes.join('; ') }) });
  },
});

function brokenLink(
  { url, referrers, referrerCount }: TargetFacts,
  { redirects, finalUrl }: FetchFacts,
  observed: string,
): Evidence {
  const [first] = referrers;
  const after = redirects.length > 0 ? ` after a redirect to ${finalUrl}` : '';
  const times = referrerCount === 1 ? '' : `, linked ${referrerCount} times`;
  return {
    url,
    ...(first && { element: `"${first.text}" on ${first.page}`, line: first.line }),
    observed: `${observed}${after}${times}`,
    expected: 'a page that exists',
    related: [...new Set(referrers.map(({ page }) => page))],
  };
}

function brokenAnchors(
  { url, fragments }: TargetFacts,
  document: { readonly ids: readonly string[]; readonly cut: readonly string[] } | null,
): Evidence[] {
  if (!document || fragments.size === 0 || document.cut.includes('ids')) return [];
  const ids = new Set(document.ids);
  return [...fragments].flatMap(([fragment, places]) => {
    if (isKnown(fragment, ids)) return [];
    const [first] = places;
    return [
      {
        url: `${url}#${fragment}`,
        ...(first && { element: `"${first.text}" on ${first.page}`, line: first.line }),
        observed: `the page has no element with the id ${fragment}`,
        expected: 'an anchor that exists',
        related: [...new Set(places.map(({ page }) => page))],
      },
    ];
  });
}

/** `#top` is the start of every page, `:~:` introduces a text search, and `!` and `/` are client-side routes. */
function isKnown(fragment: string, ids: ReadonlySet<string>): boolean {
  if (/^top$/i.test(fragment) || fragment.includes(':~:') || /^[!/]/.test(fragment)) return true;
  return ids.has(fragment) || ids.has(decoded(fragment));
}

/** Decodes percent-escapes; invalid ones stay as they are. */
function decoded(fragment: string): string {
  const query = fragment.replaceAll('&', '%26').replaceAll('+', '%2B');
  return new URLSearchParams(`f=${query}`).get('f') ?? fragment;
}
