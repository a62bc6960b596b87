/** Links of the site lead to pages that are there, and to places in them. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { TargetFacts } from '../facts/site-facts.js';
import { type Evidence, failIfAny, notApplicable, siteRule } from '../rule.js';

export const linkBrokenInternal = siteRule({
  id: 'link.broken-internal',
  title: 'Internal links work',
  category: 'links',
  severity: 'error',
  weight: 8,
  levels: 1,
  why: 'A link into nothing ends the visit, and the crawl.',
  fix: 'Repair the link, or bring the page or the anchor back.',
  inputs: { pages: ['fetch'], documents: ['ids', 'cut'], site: ['targets', 'answers'] },
  check({ pages, site: { targets, answers } }) {
    const links = [...targets.values()].filter(({ internal, roles }) => internal && roles.includes('link'));
    if (links.length === 0) return notApplicable('no page links to another');
    const documents = new Map(pages.map(({ url, document }) => [url, document]));
    return failIfAny(
      links.flatMap((target) => {
        const answer = answers.get(target.url);
        if (!answer) return [];
        const broken = brokenLink(target, answer);
        if (broken) return [broken];
        const document = documents.get(target.url);
        return document && !document.cut.includes('ids') ? brokenAnchors(target, new Set(document.ids)) : [];
      }),
    );
  },
});

function brokenLink(
  { url, referrers, referrerCount }: TargetFacts,
  { status, error }: FetchFacts,
): Evidence | undefined {
  if (status !== null && status < 400) return undefined;
  const [first] = referrers;
  return {
    url,
    ...(first && { element: `"${first.text}" on ${first.page}`, line: first.line }),
    observed: `${status === null ? `no answer: ${error?.code ?? 'unknown'}` : `status ${status}`}, linked ${referrerCount} times`,
    expected: 'a page that answers',
    related: [...new Set(referrers.map(({ page }) => page))],
  };
}

function brokenAnchors({ url, fragments }: TargetFacts, ids: ReadonlySet<string>): Evidence[] {
  return [...fragments].flatMap(([fragment, places]) => {
    if (isKnown(fragment, ids)) return [];
    const [first] = places;
    return [
      {
        url: `${url}#${fragment}`,
        ...(first && { element: `"${first.text}" on ${first.page}`, line: first.line }),
        observed: `no element with the id ${fragment}`,
        expected: 'an anchor that is there',
        related: [...new Set(places.map(({ page }) => page))],
      },
    ];
  });
}

/** `#top` is the beginning of every page; what follows `:~:` is a search for a text; `!` and `/` are routes of scripts. */
function isKnown(fragment: string, ids: ReadonlySet<string>): boolean {
  if (/^top$/i.test(fragment) || fragment.includes(':~:') || /^[!/]/.test(fragment)) return true;
  return ids.has(fragment) || ids.has(decoded(fragment));
}

/** Percent-escapes undone; what is no escape stays as it is. */
function decoded(fragment: string): string {
  const query = fragment.replaceAll('&', '%26').replaceAll('+', '%2B');
  return new URLSearchParams(`f=${query}`).get('f') ?? fragment;
}
