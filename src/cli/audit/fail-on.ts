/** Decides when an audit counts as failed: on findings of a severity, on a score below a limit, or never. */
import type { AuditReport, RuleResult } from '../../audits/index.js';
import { SondeError } from '../../errors.js';

const SEVERITY_ORDER: readonly string[] = ['info', 'warn', 'error'];

export interface FailOn {
  report(report: AuditReport): boolean;
  /** Whether this rule alone fails the audit. */
  rule(rule: RuleResult): boolean;
}

export function readFailOn(text: string): FailOn {
  if (text === 'never') return { report: () => false, rule: () => false };
  const minimum = SEVERITY_ORDER.indexOf(text);
  if (minimum >= 0) {
    const rule = ({ status, severity }: RuleResult) =>
      (status === 'fail' || status === 'warn') && SEVERITY_ORDER.indexOf(severity) >= minimum;
    return { rule, report: ({ rules }) => rules.some(rule) };
  }
  const limit = /^score:(\d{1,3})$/.exec(text)?.[1];
  if (limit !== undefined && Number(limit) <= 100)
    return { rule: () => false, report: ({ score }) => score === null || score < Number(limit) };
  throw new SondeError(
    'USAGE',
    `--fail-on takes error, warn, info, never or score:N (0 to 100), not ${JSON.stringify(text)}`,
  );
}
