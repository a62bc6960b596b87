/** Chooses the exit code of a comparison. */
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { allFindings, type CompareReport, fails } from './compare-report.js';

type Judged = Pick<CompareReport, 'pairs' | 'suiteFindings' | 'failOn' | 'verdict' | 'interruptedOf'>;

/**
 * An unreachable side is not a finding about the candidate, but the run must not pass either. `accepted` means that the
 * findings were just written to a baseline.
 */
export function exitCodeFor(report: Judged, accepted = false): ExitCode {
  if (report.interruptedOf !== undefined) return EXIT_CODES.interrupted.code;
  const failing = [...allFindings(report)].filter(({ finding }) => fails(finding, report.failOn));
  const isUnreachable = failing.some(({ finding }) => finding.code === 'PROBE_FAILURE');
  const hasFindings = failing.some(({ finding }) => finding.code !== 'PROBE_FAILURE');
  if (hasFindings && !accepted && report.verdict !== 'inconclusive') return EXIT_CODES.findings.code;
  return isUnreachable || report.verdict === 'inconclusive'
    ? EXIT_CODES.target.code
    : EXIT_CODES.success.code;
}
