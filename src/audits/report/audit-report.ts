/**
 * The result of an audit as one JSON value: score, gates, the result of every rule with its findings, and what the
 * crawl covered. All other formats are rendered from it. Everything in it is redacted.
 */
import type { SiteRecord } from '../facts/site-facts.js';
import type { RuleResult } from '../run-rules.js';
import type { Gate } from '../score/gates.js';
import type { PagesRead } from '../score/pages-read.js';
import type { Grade, Score } from '../score/score-rules.js';
import type { AcceptedFinding } from './hide-findings.js';

/** Version of the rules, their weights and the formula; a change that affects scores needs a new recipe. */
export const RECIPE_VERSION = 'v2';

export interface AuditReport
  extends Omit<Score, 'afterFixes' | 'score' | 'grade'>,
    Pick<SiteRecord, 'startUrl' | 'homeUrl' | 'domain' | 'measuredAt' | 'crawl'> {
  readonly schemaVersion: 1;
  /** Null if nothing of the site could be read; `reading.note` says why. */
  readonly score: number | null;
  readonly grade: Grade | null;
  /** Absent from reports of older versions. */
  readonly reading?: PagesRead;
  readonly recipe: string;
  readonly gates: readonly Gate[];
  /** Absent from reports of older recipes. */
  readonly afterFixes?: Score['afterFixes'];
  readonly counts: ReportCounts;
  readonly rules: readonly RuleResult[];
  /** Every page with its final status (null if there was no response or robots.txt blocked it), in crawl order. */
  readonly pages: readonly ReportPage[];
  /** Why the audit ended early; the report then covers only what was done until then. */
  readonly stopped?: string;
  /** What ignore rules and a baseline removed from `rules`. */
  readonly hidden?: HiddenFindings;
}

export interface HiddenFindings {
  readonly ignored: number;
  readonly accepted: number;
  /** Baseline entries that no longer occur. */
  readonly gone: readonly AcceptedFinding[];
}

export interface ReportPage {
  readonly url: string;
  readonly status: number | null;
}

export interface ReportCounts {
  readonly pages: number;
  readonly checks: number;
  /** The number of rules by status. */
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly notApplicable: number;
  readonly notMeasured: number;
  readonly broken: number;
  readonly issues: number;
}

export function countsOf(rules: readonly RuleResult[], pages: number, checks: number): ReportCounts {
  const countWith = (status: RuleResult['status']) => rules.filter((rule) => rule.status === status).length;
  return {
    pages,
    checks,
    passed: countWith('pass'),
    warned: countWith('warn'),
    failed: countWith('fail'),
    notApplicable: countWith('not-applicable'),
    notMeasured: countWith('not-measured'),
    broken: countWith('error'),
    issues: rules.reduce((sum, { issueCount }) => sum + issueCount, 0),
  };
}
