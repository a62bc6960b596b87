/**
 * A finding in the formats for machines, which both products share. Each product decides what one finding is there
 * (`compare/machine-reports.ts`, `audit/machine-reports.ts`): a place, a group of paths, or a rule.
 */
import type { RuleResult } from '../../audits/index.js';
import type { Severity } from '../../compare/index.js';

export interface ReportedFinding {
  readonly severity: Severity | RuleResult['severity'];
  readonly title: string;
  /** What was observed, what was expected, and what to do. */
  readonly text: string;
}
