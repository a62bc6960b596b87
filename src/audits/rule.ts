/**
 * The interface of an audit rule. A rule declares what it is and which facts it reads, gets only those, and is a pure
 * function of them: no I/O, no clock, no randomness, no `catch`. If it throws, the runner records an error result for
 * that rule, and the other rules are not affected.
 *
 * `fail` and `warn` always carry evidence: where, what was observed, what was expected. A rule with one level only
 * fails, and its severity says how bad that is. A rule with two levels warns before it fails, and a warning counts
 * half.
 */
import { runSteps } from '../loop-turns.js';
import type { DocumentFacts, PageFacts } from './facts/page-facts.js';
import type { SiteFacts } from './facts/site-facts.js';
import type { Issue, RuleResult } from './report/audit-report.js';

export const CATEGORY_NAMES = {
  crawl: 'Crawling',
  index: 'Indexing',
  content: 'Content',
  links: 'Links and assets',
  a11y: 'Accessibility',
  schema: 'Structured data',
  social: 'Social previews',
  i18n: 'Languages',
  mobile: 'Mobile',
  perf: 'Performance',
  security: 'Security',
  ai: 'AI access',
};
export type Category = keyof typeof CATEGORY_NAMES;
export const CATEGORIES = Object.keys(CATEGORY_NAMES) as readonly Category[];

export type Severity = RuleResult['severity'];

export interface RuleHead {
  /** The id in the catalogue, for example `title.length`. */
  readonly id: string;
  /** What is wrong, as a template with a count: `{n} {page has|pages have} no title`. See `failureTitle`. */
  readonly title: string;
  /** What holds when the rule passes: "Every page has one title". */
  readonly passTitle: string;
  readonly category: Category;
  readonly severity: Severity;
  /** 1 to 10. */
  readonly weight: number;
  /** 2 if the rule warns before it fails. */
  readonly levels?: 2;
  /** Why it matters, in a sentence or two; published in the docs. */
  readonly why: string;
  /** What to do about a finding. */
  readonly fix: string;
}

/** One place of a finding, and what was observed there. */
export type Evidence = Omit<Issue, 'level' | 'also'>;

/** Additional information about an outcome. */
export interface OutcomeNotes {
  /** For a site rule: how many items were judged, so that two broken links out of a thousand count less than all. */
  readonly of?: number;
  /** What could not be judged, and why. */
  readonly note?: string;
}

export type Outcome =
  | ({ readonly status: 'pass' } & OutcomeNotes)
  | ({
      readonly status: 'warn' | 'fail';
      readonly evidence: readonly [Evidence, ...Evidence[]];
    } & OutcomeNotes)
  | { readonly status: 'not-applicable' | 'not-measured'; readonly reason: string };

export const pass: Outcome = { status: 'pass' };
export const notApplicable = (reason: string): Outcome => ({ status: 'not-applicable', reason });
export const notMeasured = (reason: string): Outcome => ({ status: 'not-measured', reason });
export const fail = (...evidence: readonly [Evidence, ...Evidence[]]): Outcome => ({
  status: 'fail',
  evidence,
});
export const warn = (...evidence: readonly [Evidence, ...Evidence[]]): Outcome => ({
  status: 'warn',
  evidence,
});

/** `pass` if nothing was found, else `fail` with all evidence: the usual end of a rule. */
export function failIfAny(evidence: readonly Evidence[], notes: OutcomeNotes = {}): Outcome {
  const [first, ...rest] = evidence;
  return { ...(first ? fail(first, ...rest) : pass), ...notes };
}

/**
 * Which pages a page rule judges. `url`: every known page, also those that robots.txt blocks. `response`: every page
 * that was fetched, whatever the response. `html`: a response with status 200 and an HTML document, without a redirect.
 * Other pages are not applicable and are not passed to the rule.
 */
export type PageKind = 'url' | 'response' | 'html';

type Fetched = Exclude<PageFacts['fetch'], null>;
/** On pages that responded, `fetch` is present. */
type PageOf<K extends PageKind> = K extends 'url' ? PageFacts : PageFacts & { readonly fetch: Fetched };

export interface PageRuleSpec<
  K extends PageKind,
  P extends keyof PageFacts,
  D extends keyof DocumentFacts,
  S extends keyof SiteFacts,
> extends RuleHead {
  readonly on: K;
  /** The facts that the rule reads; `url` is always included. */
  readonly inputs: {
    readonly page?: readonly P[];
    /** Facts of the document; for `html` rules only. */
    readonly document?: readonly D[];
    readonly site?: readonly S[];
  };
  check(facts: {
    readonly page: Pick<PageOf<K>, P | 'url'>;
    readonly document: K extends 'html' ? Pick<DocumentFacts, D> : null;
    readonly site: Pick<SiteFacts, S>;
  }): Outcome;
}

export interface SiteRuleSpec<
  P extends keyof PageFacts,
  D extends keyof DocumentFacts,
  S extends keyof SiteFacts,
> extends RuleHead {
  /** Evidence is about the page in its `url`, so the same finding on several pages is grouped into one. */
  readonly perPage?: boolean;
  /** What the rule reads of every page: page fields besides `url`, and document fields. */
  readonly inputs: {
    readonly pages?: readonly P[];
    readonly documents?: readonly D[];
    readonly site?: readonly S[];
  };
  /** A generator if it does much work per page; it yields whenever other work may run. */
  check(facts: {
    readonly site: Pick<SiteFacts, S>;
    /** All pages, in crawl order; `document` is null if the page has none. */
    readonly pages: readonly SitePage<P, D>[];
  }): Outcome | Generator<void, Outcome>;
}

export type SitePage<P extends keyof PageFacts, D extends keyof DocumentFacts> = Pick<
  PageFacts,
  Exclude<P, 'document'> | 'url'
> & { readonly document: Pick<DocumentFacts, D> | null };

/** A page rule as the runner sees it. */
export interface PageRule extends RuleHead {
  readonly scope: 'page';
  readonly on: PageKind;
  readonly inputs: {
    readonly page: readonly string[];
    readonly document: readonly string[];
    readonly site: readonly string[];
  };
  run(page: PageFacts, site: SiteFacts): Outcome;
}

/** A site rule as the runner sees it. */
export interface SiteRule extends RuleHead {
  readonly scope: 'site';
  readonly perPage?: boolean;
  readonly inputs: {
    readonly pages: readonly string[];
    readonly documents: readonly string[];
    readonly site: readonly string[];
  };
  run(pages: readonly PageFacts[], site: SiteFacts): Outcome;
  /** The same; yields whenever other work may run. */
  runInSteps(pages: readonly PageFacts[], site: SiteFacts): Generator<void, Outcome>;
}

export type Rule = PageRule | SiteRule;

export function pageRule<
  K extends PageKind,
  P extends keyof PageFacts = never,
  D extends keyof DocumentFacts = never,
  S extends keyof SiteFacts = never,
>(spec: PageRuleSpec<K, P, D, S>): PageRule {
  const { inputs, check, ...head } = spec;
  const { page: ofPage = [], document: ofDocument = [], site: ofSite = [] } = inputs;
  type Facts = Parameters<typeof check>[0];
  return {
    ...head,
    scope: 'page',
    inputs: { page: ofPage, document: ofDocument, site: ofSite },
    run: (page, site) =>
      check({
        page: pick(page, ['url', ...ofPage]) as Facts['page'],
        document: (spec.on === 'html' && page.document
          ? pick(page.document, ofDocument)
          : null) as Facts['document'],
        site: pick(site, ofSite),
      }),
  };
}

export function siteRule<
  P extends keyof PageFacts = never,
  D extends keyof DocumentFacts = never,
  S extends keyof SiteFacts = never,
>(spec: SiteRuleSpec<P, D, S>): SiteRule {
  const { inputs, check, ...head } = spec;
  const { pages: ofPages = [], documents: ofDocuments = [], site: ofSite = [] } = inputs;
  function* runInSteps(pages: readonly PageFacts[], site: SiteFacts): Generator<void, Outcome> {
    const outcome = check({
      site: pick(site, ofSite),
      pages: pages.map((page) => ({
        ...pick(page, ['url', ...ofPages]),
        document: page.document && pick(page.document, ofDocuments),
      })),
    });
    return 'status' in outcome ? outcome : yield* outcome;
  }
  return {
    ...head,
    scope: 'site',
    inputs: { pages: ofPages, documents: ofDocuments, site: ofSite },
    run: (pages, site) => runSteps(runInSteps(pages, site)),
    runInSteps,
  };
}

function pick<T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {};
  for (const key of keys) picked[key] = from[key];
  return picked as Pick<T, K>;
}
