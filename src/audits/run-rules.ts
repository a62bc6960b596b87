/**
 * Runs rules over the facts of a site. Pages come one at a time, so only what site rules read is kept for all of them.
 * A rule that throws gets an `error` result, which is listed but not scored; the others still run.
 */
import type { DocumentFacts, PageFacts } from './facts/page-facts.js';
import type { SiteFacts } from './facts/site-facts.js';
import type { RuleResult, RuleStatus } from './report/audit-report.js';
import type { Outcome, PageRule, Rule, SiteRule } from './rule.js';
import { failureTitle } from './rule-title.js';
import { cutText, Tally } from './tally.js';

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
    for (const rule of rules) this.#tallies.set(rule, tallyFor(rule));
  }

  addPage(page: PageFacts): void {
    for (const rule of this.#pageRules) {
      if (concerns(rule, page)) this.#judge(rule, () => rule.run(page, this.#site));
    }
    this.#kept.push({
      ...pickKeys(page, this.#keptPageKeys),
      document: page.document && pickKeys(page.document, this.#keptDocumentKeys),
    });
  }

  /** Judges the site one rule at a time, and some rules in steps, so that the caller can yield in between. */
  *judgeSite(): Generator<void> {
    for (const rule of this.#siteRules) {
      const steps = rule.runInSteps(this.#kept, this.#site);
      let step: IteratorResult<void, Outcome> | undefined;
      const next = () => {
        step = steps.next();
        return step.done ? step.value : undefined;
      };
      do {
        this.#judge(rule, next);
        yield;
      } while (step?.done === false && this.#tallies.get(rule)?.broken === undefined);
    }
  }

  results(): RuleResult[] {
    return this.#rules.map((rule) => resultOf(rule, this.#tallies.get(rule) ?? tallyFor(rule)));
  }

  /** The only place that catches what a rule throws. */
  #judge(rule: Rule, run: () => Outcome | undefined): void {
    const tally = this.#tallies.get(rule);
    if (!tally || tally.broken !== undefined) return;
    try {
      const outcome = run();
      if (outcome) tally.add(outcome);
    } catch (thrown) {
      tally.broken = cutText(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

/** Whether a rule judges pages of this kind. */
export function concerns(rule: PageRule, page: PageFacts): boolean {
  if (rule.on === 'url') return true;
  if (!page.fetch) return false;
  return rule.on === 'response' || (page.fetch.status === 200 && page.document !== null);
}

function tallyFor(rule: Rule): Tally {
  return new Tally({ grouped: rule.scope === 'page' || rule.perPage === true });
}

function resultOf(rule: Rule, tally: Tally): RuleResult {
  const { id, category, severity, weight, scope, fix } = rule;
  const { status, reason } = statusOf(tally);
  const scored = status === 'pass' || status === 'warn' || status === 'fail';
  const { applicable, passed, warned, failed, failedShare, issueCount, placeCount } = tally;
  const ratio = failedShare === undefined ? (passed + warned * 0.5) / applicable : 1 - failedShare;
  const count = scope === 'page' ? warned + failed : rule.perPage ? placeCount : issueCount;
  return {
    ...{ id, title: count > 0 ? failureTitle(rule.title, count) : rule.passTitle },
    ...{ category, severity, scope, weight, status },
    passRatio: scored ? ratio : null,
    pages: scope === 'page' ? { applicable, passed, warned, failed } : null,
    issues: tally.issues(),
    ...{ issueCount, placeCount },
    reason,
    fix,
  };
}

function statusOf(tally: Tally): { status: RuleStatus; reason: string | null } {
  if (tally.broken !== undefined) return { status: 'error', reason: tally.broken };
  const reason = tally.note ?? null;
  if (tally.failed > 0) return { status: 'fail', reason };
  if (tally.warned > 0) return { status: 'warn', reason };
  if (tally.passed > 0) return { status: 'pass', reason };
  if (tally.unmeasured !== undefined) return { status: 'not-measured', reason: tally.unmeasured };
  return {
    status: 'not-applicable',
    reason: tally.inapplicable ?? 'this rule applies to no page of the site',
  };
}

function pickKeys<T extends PageFacts | DocumentFacts>(from: T, keys: ReadonlySet<string>): T {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.has(key))) as unknown as T;
}
