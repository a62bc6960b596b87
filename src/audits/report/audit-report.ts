/**
 * An audit's result as one JSON value: score, gates, every rule's result with its evidence, and what the
 * crawl covered. All other forms of a report are made from it. Everything in it is redacted.
 */
import type { CrawlFacts } from '../facts/site-facts.js';
import type { RuleResult } from '../run-rules.js';
import type { Gate } from '../score/gates.js';
import type { CategoryScore, Grade } from '../score/score-rules.js';

/** The rules and their weights; a change of either that moves scores is another recipe. */
export const RECIPE_VERSION = 'v1';

export interface AuditReport {
  readonly schemaVersion: 1;
  readonly recipe: string;
  readonly startUrl: string;
  readonly homeUrl: string;
  readonly domain: string;
  readonly measuredAt: string;
  readonly score: number;
  readonly grade: Grade;
  /** Before the gates. */
  readonly ungated: number;
  readonly gates: readonly Gate[];
  readonly categories: readonly CategoryScore[];
  readonly counts: ReportCounts;
  readonly rules: readonly RuleResult[];
  readonly crawl: CrawlFacts;
  /** Every page with its final status (null: no answer, or kept out by robots.txt), in crawl order. */
  readonly pages: readonly ReportPage[];
}

export interface ReportPage {
  readonly url: string;
  readonly status: number | null;
}

export interface ReportCounts {
  readonly pages: number;
  readonly checks: number;
  /** Rules by how they came out. */
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly notApplicable: number;
  readonly notMeasured: number;
  readonly broken: number;
  readonly issues: number;
}

export function countsOf(rules: readonly RuleResult[], pages: number, checks: number): ReportCounts {
  const having = (status: RuleResult['status']) => rules.filter((rule) => rule.status === status).length;
  return {
    pages,
    checks,
    passed: having('pass'),
    warned: having('warn'),
    failed: having('fail'),
    notApplicable: having('not-applicable'),
    notMeasured: having('not-measured'),
    broken: having('error'),
    issues: rules.reduce((sum, { issueCount }) => sum + issueCount, 0),
  };
}
