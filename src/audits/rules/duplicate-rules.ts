/** Texts that should be unique but occur on several pages: rules that differ only in the text they read. */
import { indexedUrl } from '../canonical-links.js';
import { isIndexable } from '../directives.js';
import type { DocumentFacts } from '../facts/page-facts.js';
import { failIfAny, notApplicable, type RuleHead, type SitePage, type SiteRule, siteRule } from '../rule.js';
import { COMPARED_WORDS_MIN } from './content-duplicate.js';

interface Row extends RuleHead {
  /** Its name, in the singular. */
  readonly noun: string;
  read(document: Pick<DocumentFacts, 'titles' | 'metas'>): string | undefined;
  /** Shows the text as markup. */
  show(text: string): string;
}

const ROWS: readonly Row[] = [
  {
    id: 'title.duplicate',
    title: '{n} {title is|titles are} used by several pages',
    passTitle: 'Every title is used once',
    category: 'content',
    severity: 'warn',
    weight: 6,
    why: 'Pages with the same title compete with each other, and readers cannot tell them apart.',
    fix: 'Give every page its own title, or choose one of them as the canonical page.',
    noun: 'title',
    read: ({ titles }) => titles.find(({ inHead }) => inHead)?.text,
    show: (text) => `<title>${text}</title>`,
  },
  {
    id: 'desc.duplicate',
    title: '{n} {meta description is|meta descriptions are} used by several pages',
    passTitle: 'Every description is used once',
    category: 'content',
    severity: 'warn',
    weight: 3,
    why: 'The same description under several results does not help readers choose.',
    fix: 'Write a description for each page.',
    noun: 'description',
    read: ({ metas }) => metas.find(({ name, inHead }) => name === 'description' && inHead)?.content?.trim(),
    show: (text) => `<meta name="description" content="${text}">`,
  },
];

export const DUPLICATE_RULES: readonly SiteRule[] = ROWS.map(ruleOfRow);

function ruleOfRow({ noun, read, show, ...head }: Row): SiteRule {
  return siteRule({
    ...head,
    inputs: { pages: ['fetch'], documents: ['titles', 'metas', 'links', 'text'] },
    *check({ pages }) {
      const groups = yield* groupsOf(pages, read);
      if (groups.size === 0) return notApplicable(`no indexable page has a ${noun}`);
      return failIfAny(
        [...groups]
          .filter(([, group]) => group.size > 1)
          .map(([text, group]) => [text, [...group.values()]] as const)
          .map(([text, [url = '', ...related]]) => ({
            url,
            element: show(text),
            observed: `${related.length + 1} pages with this ${noun}`,
            expected: `a ${noun} of its own for every page`,
            related,
          })),
        { of: groups.size },
      );
    },
  });
}

/** Pages whose canonical is read before other work may run. */
const PAGES_PER_STEP = 50;

type Page = SitePage<'fetch', 'titles' | 'metas' | 'links' | 'text'>;

/**
 * The first URL of each page, by text. Pages with the same canonical are one page to search engines, and copies of a
 * page are reported by another rule, so the first one stands for all of them.
 */
function* groupsOf(
  pages: readonly Page[],
  read: Row['read'],
): Generator<void, Map<string, Map<string, string>>> {
  const groups = new Map<string, Map<string, string>>();
  const firstCopies = new Map<string, string>();
  for (const [index, page] of pages.entries()) {
    if (index % PAGES_PER_STEP === 0) yield;
    const text = page.document ? read(page.document) : undefined;
    if (!text || !page.document || !isIndexable(page)) continue;
    const group = groups.get(text) ?? new Map<string, string>();
    const { sha256, mainWords } = page.document.text;
    const copied = mainWords >= COMPARED_WORDS_MIN ? firstCopies.get(sha256) : undefined;
    const first = copied ?? indexedUrl(page, page.document);
    firstCopies.set(sha256, first);
    if (!group.has(first)) group.set(first, page.url);
    groups.set(text, group);
  }
  return groups;
}
