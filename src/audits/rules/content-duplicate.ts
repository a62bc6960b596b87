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
/**
 * Pages of a template are all alike, and comparing 5,000 of them pair by pair took minutes. From this many pages on, a
 * band gets only pages that are unlike those it has…
 */
const CROWD = 50;
/** …and in the end none, so that a page is compared with a bounded number of others. */
const BAND_MAX = 200;
/** Pages that are looked at before other work may run. */
const PAGES_PER_STEP = 10;
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
  *check({ pages }) {
    const judged = yield* firstOfCanonical(pages);
    if (judged.length < 2) return notApplicable('there are no two pages to compare');
    return failIfAny(
      (yield* groupsOf(judged)).map(([first, ...others]) => ({
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
function* firstOfCanonical(pages: readonly Page[]): Generator<void, Page[]> {
  const first = new Map<string, Page>();
  for (const [index, page] of pages.entries()) {
    if (index % PAGES_PER_STEP === 0) yield;
    if (!isJudged(page)) continue;
    const indexed = page.document ? indexedUrl(page, page.document) : page.url;
    if (!first.has(indexed)) first.set(indexed, page);
  }
  return [...first.values()];
}

/** Groups of pages that are similar, directly or through others, in crawl order. */
function* groupsOf(pages: readonly Page[]): Generator<void, Page[][]> {
  const union = new Groups(pages.length);
  const same = new Map<string, number>();
  const bands = new Map<string, number[]>();
  for (const [index, page] of pages.entries()) {
    if (index % PAGES_PER_STEP === 0) yield;
    const text = page.document?.text;
    if (!text) continue;
    // One copy stands for all identical ones, so that a site full of copies is not compared pair by pair.
    const first = same.get(text.sha256);
    if (first !== undefined) {
      union.join(index, first);
      continue;
    }
    same.set(text.sha256, index);
    const keys = keysOf(text);
    const others = new Set(keys.flatMap((key) => bands.get(key) ?? []));
    for (const other of others) {
      if (!union.areJoined(index, other) && isSimilar(pages[other], text)) union.join(index, other);
    }
    for (const key of keys) bands.set(key, withPage(index, bands.get(key) ?? [], union));
  }
  return union.of(pages).filter((group) => group.length > 1);
}

/** Further pages of a crowded band are found through those that it has. */
function withPage(index: number, band: number[], union: Groups): number[] {
  const isFound = band.length >= CROWD && band.some((other) => union.areJoined(index, other));
  if (!isFound && band.length < BAND_MAX) band.push(index);
  return band;
}

/** Sets of indexes that are joined one pair at a time. */
class Groups {
  readonly #parent: number[];

  constructor(count: number) {
    this.#parent = Array.from({ length: count }, (_, index) => index);
  }

  join(index: number, other: number): void {
    this.#parent[this.#rootOf(index)] = this.#rootOf(other);
  }

  areJoined(index: number, other: number): boolean {
    return this.#rootOf(index) === this.#rootOf(other);
  }

  of<T>(items: readonly T[]): T[][] {
    const groups = new Map<number, T[]>();
    for (const [index, item] of items.entries()) {
      const root = this.#rootOf(index);
      const group = groups.get(root);
      if (group) group.push(item);
      else groups.set(root, [item]);
    }
    return [...groups.values()];
  }

  #rootOf(index: number): number {
    let root = index;
    while (this.#parent[root] !== root) root = this.#parent[root] ?? root;
    this.#parent[index] = root;
    return root;
  }
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
