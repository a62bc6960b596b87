/**
 * An audit's result as one JSON value: score, gates, every rule's result with its findings, and what the crawl
 * covered. All other formats are made from it. Everything in it is redacted.
 */
import type { CrawlFacts } from '../facts/site-facts.js';
import type { RuleResult } from '../run-rules.js';
import type { Gate } from '../score/gates.js';
import type { CategoryScore, Grade, Score } from '../score/score-rules.js';
import type { AcceptedFinding } from './hide-findings.js';

/** The rules, their weights and the formula; a change that moves scores is another recipe. */
export const RECIPE_VERSION = 'v2';

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
  /** Absent from reports of older recipes. */
  readonly afterFixes?: Score['afterFixes'];
  readonly counts: ReportCounts;
  readonly rules: readonly RuleResult[];
  readonly crawl: CrawlFacts;
  /** Every page with its final status (null: no response, or blocked by robots.txt), in crawl order. */
  readonly pages: readonly ReportPage[];
  /** Why the audit ended early; the report then covers what was done until then. */
  readonly stopped?: string;
  /** What ignore rules and a baseline took out of `rules`. */
  readonly hidden?: HiddenFindings;
}

export interface HiddenFindings {
  readonly ignored: number;
  readonly accepted: number;
  /** Entries of the baseline that no longer occur. */
  readonly gone: readonly AcceptedFinding[];
}

export interface ReportPage {
  readonly url: string;
  readonly status: number | null;
}

export interface ReportCounts {
  readonly pages: number;
  readonly checks: number;
  /** Rules by their status. */
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
