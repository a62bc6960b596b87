/** When an audit counts as failed: by a finding of some severity, by a score below a bound, or never. */
import type { AuditReport } from '../../audits/index.js';
import { SondeError } from '../../errors.js';

const SEVERITY_ORDER: readonly string[] = ['info', 'warn', 'error'];

export type FailOn = (report: AuditReport) => boolean;

export function readFailOn(text: string): FailOn {
  if (text === 'never') return () => false;
  const least = SEVERITY_ORDER.indexOf(text);
  if (least >= 0) {
    return ({ rules }) =>
      rules.some(
        ({ status, severity }) =>
          (status === 'fail' || status === 'warn') && SEVERITY_ORDER.indexOf(severity) >= least,
      );
  }
  const bound = /^score:(\d{1,3})$/.exec(text)?.[1];
  if (bound !== undefined && Number(bound) <= 100) return ({ score }) => score < Number(bound);
  throw new SondeError(
    'USAGE',
    `--fail-on takes error, warn, info, never or score:N (0 to 100), not ${JSON.stringify(text)}`,
  );
}
