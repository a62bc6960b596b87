/** Counts the rules of a report by status, and their findings. */
import type { AuditReport, RuleResult } from './audit-report.js';

export function countsOf(rules: readonly RuleResult[], pages: number, checks: number): AuditReport['counts'] {
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
