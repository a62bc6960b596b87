/** Checks that no two pages have the same text. */
import { indexedUrl } from '../canonical-links.js';
import { isIndexable } from '../directives.js';
import { overlap, simhashDistance } from '../extract/text-facts.js';
import type { TextFacts } from '../facts/page-facts.js';
import { failIfAny, notApplicable, type SitePage, siteRule } from '../rule.js';

type Page = SitePage<'fetch', 'text' | 'metas' | 'links'>;

const DISTANCE_MAX = 3;
/**
 * The share of word pairs that similar short texts have in common: of thirty words one may differ, of a hundred four.
 */
const OVERLAP_MIN = 0.85;
/** The lowest hashes of a short text; two similar texts have at least one of them in common. */
const LOWEST = 8;
/** Shorter texts can be similar by chance. */
export const COMPARED_WORDS_MIN = 30;
/** Four bands of 16 bits: hashes at most three bits apart have at least one band in common. */
const BAND_DIGITS = 4;

export const contentDuplicate = siteRule({
  id: 'content.duplicate',
  title: '{n} {group of pages has|groups of pages have} the same text',
  passTitle: 'No pages have the same text',
  category: 'content',
  severity: 'warn',
  weight: 5,
  why: 'Search engines show only one of several pages with the same text, and not always the right one.',
  fix: 'Choose one as the canonical page, or redirect the others to it.',
  inputs: { pages: ['fetch'], documents: ['text', 'metas', 'links'] },
  check({ pages }) {
    const judged = firstOfCanonical(pages.filter(isJudged));
    if (judged.length < 2) return notApplicable('there are no two pages to compare');
    return failIfAny(
      groupsOf(judged).map(([first, ...others]) => ({
        url: first?.url ?? '',
        observed: `${others.length + 1} pages with the same text`,
        expected: 'unique text, or a canonical URL',
        related: others.map(({ url }) => url),
      })),
      { of: judged.length },
    );
  },
});

function isJudged(page: Page): boolean {
  return page.document !== null && isIndexable(page) && page.document.text.mainWords >= COMPARED_WORDS_MIN;
}

/** Pages with the same canonical are one page to search engines. */
function firstOfCanonical(pages: readonly Page[]): Page[] {
  const first = new Map<string, Page>();
  for (const page of pages) {
    const indexed = page.document ? indexedUrl(page, page.document) : page.url;
    if (!first.has(indexed)) first.set(indexed, page);
  }
  return [...first.values()];
}

/** Groups of pages that are similar, directly or through others, in crawl order. */
function groupsOf(pages: readonly Page[]): Page[][] {
  const parent = pages.map((_page, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    parent[index] = root;
    return root;
  };
  const same = new Map<string, number>();
  const bands = new Map<string, number[]>();
  for (const [index, page] of pages.entries()) {
    const text = page.document?.text;
    if (!text) continue;
    // One copy stands for all identical ones, so that a site full of copies is not compared pair by pair.
    const first = same.get(text.sha256);
    if (first !== undefined) {
      parent[rootOf(index)] = rootOf(first);
      continue;
    }
    same.set(text.sha256, index);
    for (const key of keysOf(text)) {
      const others = bands.get(key) ?? [];
      for (const other of others) if (isSimilar(pages[other], text)) parent[rootOf(index)] = rootOf(other);
      others.push(index);
      bands.set(key, others);
    }
  }
  const groups = new Map<number, Page[]>();
  for (const [index, page] of pages.entries()) {
    const root = rootOf(index);
    groups.set(root, [...(groups.get(root) ?? []), page]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function keysOf({ simhash, pairs }: TextFacts): string[] {
  const bands = [0, 1, 2, 3].map(
    (band) => `${band} ${simhash.slice(band * BAND_DIGITS, (band + 1) * BAND_DIGITS)}`,
  );
  return [...bands, ...(pairs ?? []).slice(0, LOWEST).map((pair) => `pair ${pair}`)];
}

function isSimilar(left: Page | undefined, right: TextFacts): boolean {
  const one = left?.document?.text;
  if (!one) return false;
  if (simhashDistance(one.simhash, right.simhash) <= DISTANCE_MAX) return true;
  return one.pairs !== null && right.pairs !== null && overlap(one.pairs, right.pairs) >= OVERLAP_MIN;
}
