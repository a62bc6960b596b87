/**
 * Adds up the outcomes of one rule. The same finding on several pages is one finding with several places, because it
 * has one cause, such as a template. Lists are bounded (`RESULT_LIMITS`); counts are not.
 */
import type { Issue, Place } from './report/audit-report.js';
import type { Evidence, Outcome } from './rule.js';

export const RESULT_LIMITS = {
  /** Findings kept per rule. */
  findingsPerRule: 10_000,
  /** Places kept per rule, over all its findings. */
  placesPerRule: 20_000,
  /** Related URLs kept per finding. */
  related: 20,
  /** Characters of one text in a finding. */
  text: 500,
} as const;

/** Every place of a finding, including the first. */
export function placesOf({ url, line, also = [] }: Issue): readonly Place[] {
  return [{ url, ...(line !== undefined && { line }) }, ...also];
}

/** How many pages a finding is on. */
export function pageCount(issue: Issue): number {
  return issue.also ? new Set(placesOf(issue).map(({ url }) => url)).size : 1;
}

interface OpenIssue extends Issue {
  also: Place[];
}

export class Tally {
  applicable = 0;
  passed = 0;
  warned = 0;
  failed = 0;
  issueCount = 0;
  placeCount = 0;
  /** Share of judged items that failed; set only by site rules that count them. */
  failedShare: number | undefined;
  note: string | undefined;
  unmeasured: string | undefined;
  inapplicable: string | undefined;
  broken: string | undefined;
  readonly #grouped: boolean;
  readonly #issues: OpenIssue[] = [];
  readonly #byContent = new Map<string, OpenIssue>();
  #places = 0;

  constructor(options: { readonly grouped: boolean }) {
    this.#grouped = options.grouped;
  }

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
        this.note ??= outcome.note;
        return;
      case 'warn':
      case 'fail':
        this.applicable += 1;
        if (outcome.status === 'warn') this.warned += 1;
        else this.failed += 1;
        this.note ??= outcome.note;
        if (outcome.of) this.failedShare = Math.min(1, outcome.evidence.length / outcome.of);
        for (const each of outcome.evidence)
          this.#keep({ level: outcome.status, ...bounded(each), also: [] });
    }
  }

  /** Findings with the most places first, otherwise in the order of the pages. */
  issues(): Issue[] {
    return this.#issues
      .map(({ also, ...issue }): Issue => (also.length > 0 ? { ...issue, also } : issue))
      .sort((left, right) => (right.also?.length ?? 0) - (left.also?.length ?? 0));
  }

  #keep(issue: OpenIssue): void {
    this.placeCount += 1;
    const { level, element, observed, expected, related } = issue;
    const key = this.#grouped ? JSON.stringify([level, element, observed, expected, related]) : '';
    const known = this.#grouped ? this.#byContent.get(key) : undefined;
    if (!known) this.issueCount += 1;
    if (this.#places >= RESULT_LIMITS.placesPerRule) return;
    if (known) known.also.push({ url: issue.url, ...(issue.line !== undefined && { line: issue.line }) });
    else if (this.#issues.length < RESULT_LIMITS.findingsPerRule) {
      this.#issues.push(issue);
      if (this.#grouped) this.#byContent.set(key, issue);
    } else return;
    this.#places += 1;
  }
}

export function cutText(text: string): string {
  return text.length <= RESULT_LIMITS.text ? text : `${text.slice(0, RESULT_LIMITS.text - 1)}…`;
}

function bounded(evidence: Evidence): Evidence {
  return {
    ...evidence,
    ...(evidence.element !== undefined && { element: cutText(evidence.element) }),
    observed: cutText(evidence.observed),
    expected: cutText(evidence.expected),
    ...(evidence.related && { related: evidence.related.slice(0, RESULT_LIMITS.related) }),
  };
}
