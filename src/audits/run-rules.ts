/**
 * Runs rules over the facts of a site and adds up what each of them found. Pages come one at a time, so only
 * what site rules asked for is held for all of them. A rule that throws has an `error` result, listed and not
 * scored; the others go on. Evidence is bounded (`RESULT_LIMITS`), counts are not.
 */
import type { DocumentFacts, PageFacts } from './facts/page-facts.js';
import type { SiteFacts } from './facts/site-facts.js';
import type { Category, Evidence, Outcome, PageRule, Rule, Severity, SiteRule } from './rule.js';

export const RESULT_LIMITS = {
  /** Findings kept for one rule. */
  evidencePerRule: 1000,
  /** Findings kept for one rule on one page. */
  evidencePerPage: 20,
  /** URLs kept beside one finding. */
  related: 20,
  /** Characters of one text of a finding. */
  text: 500,
} as const;

export type RuleStatus = 'pass' | 'warn' | 'fail' | 'not-applicable' | 'not-measured' | 'error';

export interface Issue extends Evidence {
  readonly level: 'warn' | 'fail';
}

export interface RuleResult {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly severity: Severity;
  readonly scope: 'page' | 'site';
  readonly weight: number;
  readonly status: RuleStatus;
  /** 0 to 1; null where the rule is not scored. */
  readonly passRatio: number | null;
  /** Of a page rule: how the applicable pages came out. */
  readonly pages: {
    readonly applicable: number;
    readonly passed: number;
    readonly warned: number;
    readonly failed: number;
  } | null;
  readonly issues: readonly Issue[];
  /** All that were found, also those beyond the bound. */
  readonly issueCount: number;
  /** Why it is not applicable, not measured or broken. */
  readonly reason: string | null;
  readonly fix: string;
}

class Tally {
  applicable = 0;
  passed = 0;
  warned = 0;
  failed = 0;
  issueCount = 0;
  unmeasured: string | undefined;
  inapplicable: string | undefined;
  broken: string | undefined;
  readonly issues: Issue[] = [];

  add(outcome: Outcome): void {
    switch (outcome.status) {
      case 'not-applicable':
        this.inapplicable ??= outcome.reason;
        return;
      case 'not-measured':
        this.unmeasured ??= outcome.reason;
        return;
      case 'pass':
        this.applicable += 1;
        this.passed += 1;
        return;
      case 'warn':
      case 'fail':
        this.applicable += 1;
        if (outcome.status === 'warn') this.warned += 1;
        else this.failed += 1;
        this.#keep(outcome.status, outcome.evidence);
    }
  }

  #keep(level: 'warn' | 'fail', evidence: readonly Evidence[]): void {
    this.issueCount += evidence.length;
    const room = Math.max(0, RESULT_LIMITS.evidencePerRule - this.issues.length);
    for (const each of evidence.slice(0, Math.min(room, RESULT_LIMITS.evidencePerPage))) {
      this.issues.push({ level, ...bounded(each) });
    }
  }
}

export class RuleRun {
  readonly #site: SiteFacts;
  readonly #pageRules: readonly PageRule[];
  readonly #siteRules: readonly SiteRule[];
  readonly #rules: readonly Rule[];
  readonly #tallies = new Map<Rule, Tally>();
  readonly #kept: PageFacts[] = [];
  readonly #keptPageKeys: ReadonlySet<string>;
  readonly #keptDocumentKeys: ReadonlySet<string>;

  constructor(rules: readonly Rule[], site: SiteFacts) {
    this.#rules = rules;
    this.#site = site;
    this.#pageRules = rules.filter((rule) => rule.scope === 'page');
    this.#siteRules = rules.filter((rule) => rule.scope === 'site');
    this.#keptPageKeys = new Set(['url', ...this.#siteRules.flatMap((rule) => rule.inputs.pages)]);
    this.#keptDocumentKeys = new Set(this.#siteRules.flatMap((rule) => rule.inputs.documents));
    for (const rule of rules) this.#tallies.set(rule, new Tally());
  }

  addPage(page: PageFacts): void {
    for (const rule of this.#pageRules) {
      if (concerns(rule, page)) this.#judge(rule, () => rule.run(page, this.#site));
    }
    this.#kept.push({
      ...only(page, this.#keptPageKeys),
      document: page.document && only(page.document, this.#keptDocumentKeys),
    });
  }

  /** Judges the site, a rule at a time; whoever asks may let other work go first. */
  *judgeSite(): Generator<void> {
    for (const rule of this.#siteRules) {
      this.#judge(rule, () => rule.run(this.#kept, this.#site));
      yield;
    }
  }

  results(): RuleResult[] {
    return this.#rules.map((rule) => resultOf(rule, this.#tallies.get(rule) ?? new Tally()));
  }

  /** The one place where a rule's throw is caught. */
  #judge(rule: Rule, run: () => Outcome): void {
    const tally = this.#tallies.get(rule);
    if (!tally || tally.broken !== undefined) return;
    try {
      tally.add(run());
    } catch (thrown) {
      tally.broken = cut(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

/** All pages at once, for callers that have them at hand. */
export function runRules(rules: readonly Rule[], pages: Iterable<PageFacts>, site: SiteFacts): RuleResult[] {
  const run = new RuleRun(rules, site);
  for (const page of pages) run.addPage(page);
  for (const _judged of run.judgeSite());
  return run.results();
}

/** Whether a page is of the kind that a rule is about. */
export function concerns(rule: PageRule, page: PageFacts): boolean {
  if (rule.on === 'url') return true;
  if (!page.fetch) return false;
  return rule.on === 'answer' || (page.fetch.status === 200 && page.document !== null);
}

function resultOf(rule: Rule, tally: Tally): RuleResult {
  const { id, title, category, severity, weight, scope, fix } = rule;
  const { status, reason } = statusOf(tally);
  const scored = status === 'pass' || status === 'warn' || status === 'fail';
  const { applicable, passed, warned, failed } = tally;
  return {
    ...{ id, title, category, severity, scope, weight, status },
    passRatio: scored ? (passed + warned * 0.5) / applicable : null,
    pages: scope === 'page' ? { applicable, passed, warned, failed } : null,
    issues: tally.issues,
    issueCount: tally.issueCount,
    reason,
    fix,
  };
}

function statusOf(tally: Tally): { status: RuleStatus; reason: string | null } {
  if (tally.broken !== undefined) return { status: 'error', reason: tally.broken };
  if (tally.failed > 0) return { status: 'fail', reason: null };
  if (tally.warned > 0) return { status: 'warn', reason: null };
  if (tally.passed > 0) return { status: 'pass', reason: null };
  if (tally.unmeasured !== undefined) return { status: 'not-measured', reason: tally.unmeasured };
  return { status: 'not-applicable', reason: tally.inapplicable ?? 'no page of the kind this rule is about' };
}

function bounded(evidence: Evidence): Evidence {
  return {
    ...evidence,
    ...(evidence.element !== undefined && { element: cut(evidence.element) }),
    observed: cut(evidence.observed),
    expected: cut(evidence.expected),
    ...(evidence.related && { related: evidence.related.slice(0, RESULT_LIMITS.related) }),
  };
}

function cut(text: string): string {
  return text.length <= RESULT_LIMITS.text ? text : `${text.slice(0, RESULT_LIMITS.text - 1)}…`;
}

function only<T extends PageFacts | DocumentFacts>(from: T, keys: ReadonlySet<string>): T {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.has(key))) as unknown as T;
}
