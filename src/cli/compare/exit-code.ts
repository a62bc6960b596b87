/** Which exit code a comparison ends with. */
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { allFindings, type CompareReport, fails } from './compare-report.js';

type Judged = Pick<CompareReport, 'pairs' | 'suiteFindings' | 'failOn' | 'verdict' | 'interruptedOf'>;

/**
 * A side that cannot be reached is not a finding about the candidate, but nothing passes either. `accepted`: what was
 * found has just been written to a baseline.
 */
export function exitCodeFor(report: Judged, accepted = false): ExitCode {
  if (report.interruptedOf !== undefined) return EXIT_CODES.interrupted.code;
  const failing = [...allFindings(report)].filter(({ finding }) => fails(finding, report.failOn));
  const unreachable = failing.some(({ finding }) => finding.code === 'PROBE_FAILURE');
  const found = failing.some(({ finding }) => finding.code !== 'PROBE_FAILURE');
  if (found && !accepted && report.verdict !== 'inconclusive') return EXIT_CODES.findings.code;
  return unreachable || report.verdict === 'inconclusive' ? EXIT_CODES.target.code : EXIT_CODES.fine.code;
}
