/** What a run of `sonde compare` found: the one thing every reporter reads. */
import {
  counts,
  type EnvDiff,
  type Finding,
  type FindingGroup,
  groupFindings,
  type Severity,
  type SideLabels,
  type Verdict,
  verdictSentence,
} from '../../compare/index.js';
import type { Explanation } from '../../explain/index.js';
import type { Side, SignalEnvelope } from '../../probe/index.js';
import { VERSION } from '../../version.js';

export interface ReportedPair {
  /** The path in a suite, else the right side's path. */
  readonly name: string;
  readonly left: SignalEnvelope;
  readonly right: SignalEnvelope;
  readonly diff: EnvDiff;
  readonly explanation: Explanation;
  /** Why a configured model did not explain; the text above is then the one by rule. */
  readonly explanationFault?: string;
}

/** What the baseline did to this run. */
export interface BaselineUse {
  readonly file: string;
  /** Findings that it hid. */
  readonly hidden: number;
  /** Entries that no longer occur on the paths that were compared. */
  readonly gone: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

export interface CompareReport {
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly candidate: Side;
  /** What the sides are called in sentences, and where they are. */
  readonly leftLabel: string;
  readonly rightLabel: string;
  readonly leftUrl: string;
  readonly rightUrl: string;
  readonly pairs: readonly ReportedPair[];
  /** Findings about the set of paths, not about one of them. */
  readonly suiteFindings: readonly Finding[];
  readonly notes: readonly string[];
  readonly verdict: Verdict;
  readonly failOn: Exclude<Severity, 'info'>;
  readonly baseline?: BaselineUse;
  /** Paths that were to be compared, where the run was stopped before it had compared them all. */
  readonly interruptedOf?: number;
}

const WEIGHT: Readonly<Record<Verdict, number>> = { pass: 0, warn: 1, inconclusive: 2, fail: 3 };

/** A certain failure outweighs what could not be judged, and that outweighs a warning. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((worst, each) => (WEIGHT[each] > WEIGHT[worst] ? each : worst), 'pass');
}

export function verdictOfFindings(findings: readonly Finding[]): Verdict {
  const counting = findings.filter(counts);
  if (counting.some(({ severity }) => severity === 'critical')) return 'fail';
  return counting.some(({ severity }) => severity === 'warn') ? 'warn' : 'pass';
}

/** A run that was stopped before it had compared anything has nothing to judge. */
export function verdictOfPairs({
  pairs,
  suiteFindings,
}: Pick<CompareReport, 'pairs' | 'suiteFindings'>): Verdict {
  if (pairs.length === 0) return 'inconclusive';
  return worstVerdict([verdictOfFindings(suiteFindings), ...pairs.map(({ diff }) => diff.verdict)]);
}

/** Whether this finding alone makes the run fail under `--fail-on`. */
export function fails(finding: Finding, failOn: CompareReport['failOn']): boolean {
  if (!counts(finding)) return false;
  return finding.severity === 'critical' || (failOn === 'warn' && finding.severity === 'warn');
}

export const SUITE_NAME = 'suite';

/** All findings of a run with the name of where they are. */
export function* allFindings(
  report: Pick<CompareReport, 'pairs' | 'suiteFindings'>,
): Generator<{ name: string; finding: Finding }> {
  for (const finding of report.suiteFindings) yield { name: SUITE_NAME, finding };
  for (const { name, diff } of report.pairs) {
    for (const finding of diff.findings) yield { name, finding };
  }
}

export function labelsOf({ leftLabel, rightLabel }: CompareReport): SideLabels {
  return { left: leftLabel, right: rightLabel };
}

/** Findings across paths, the most severe and the rarest first; those of the suite itself among them. */
export function groupsOf({ pairs, suiteFindings }: CompareReport): readonly FindingGroup[] {
  const suite = suiteFindings.length === 0 ? [] : [{ name: SUITE_NAME, diff: { findings: suiteFindings } }];
  const groups = groupFindings([...suite, ...pairs]);
  return groups.map((group) => ({ ...group, of: pairs.length }));
}

/** "on 50 of 50 paths", or nothing where there is one pair. */
export function whereText({ paths, of }: FindingGroup): string {
  if (paths[0] === SUITE_NAME) return 'in the path list';
  if (of < 2) return '';
  return paths.length === 1 ? `on 1 of ${of} paths: ${paths[0]}` : `on ${paths.length} of ${of} paths`;
}

/** "also: 6 other findings of this response (VARY_DRIFT, …)". */
export function alsoText({ also }: FindingGroup): string {
  if (also.length === 0) return '';
  const shown = also.slice(0, ALSO_MAX).map(({ code }) => code);
  const more = also.length - shown.length;
  return `also: ${also.length} ${also.length === 1 ? 'finding' : 'findings'} that this explains (${shown.join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

const ALSO_MAX = 6;

export interface Tally {
  readonly critical: number;
  readonly warn: number;
  readonly info: number;
  readonly passed: number;
  /** Findings that do not count, by why. */
  readonly aside: Readonly<Record<'noisy' | 'suppressed' | 'known', number>>;
}

export function tallyOf(report: CompareReport): Tally {
  const tally = { critical: 0, warn: 0, info: 0 };
  const aside = { noisy: 0, suppressed: 0, known: 0 };
  for (const { finding } of allFindings(report)) {
    if (counts(finding)) tally[finding.severity]++;
    else if (finding.stability === 'noisy') aside.noisy++;
    else if (finding.status === 'suppressed' || finding.status === 'known') aside[finding.status]++;
  }
  const passed = report.pairs.filter(({ diff }) => diff.verdict === 'pass').length;
  return { ...tally, passed, aside };
}

/** Of one pair its findings; of a suite its kinds of findings, whatever the number of paths. */
export function countedText(report: CompareReport): string {
  const groups = groupsOf(report);
  const count = (severity: Severity) => groups.filter((group) => group.severity === severity).length;
  const counted = `${count('critical')} critical, ${count('warn')} warn, ${count('info')} info`;
  return report.pairs.length === 1 ? counted : `${counted} on ${report.pairs.length} paths`;
}

/** The verdict with the sides' names, marked as partial if the run was stopped early. */
export function sentenceOf(report: CompareReport): string {
  const { aside } = tallyOf(report);
  const findings = [...allFindings(report)].map(({ finding }) => finding);
  const sentence = verdictSentence({
    verdict: report.verdict,
    candidate: report.candidate,
    labels: labelsOf(report),
    findings,
    hidden: aside.known + aside.suppressed,
  });
  const { interruptedOf, pairs } = report;
  return interruptedOf === undefined
    ? sentence
    : `partial: stopped after ${pairs.length} of ${interruptedOf} paths; ${sentence}`;
}

/** The parts in which all paths were compared, and those in which none was; the verdict covers only the former. */
export function coverageText({ pairs }: CompareReport): string {
  const [first] = pairs;
  if (!first) return '';
  const common = first.diff.coverage.compared.filter(
    (part) =>
      /\d/.test(part) || pairs.every(({ diff }) => diff.coverage.compared.some((other) => other === part)),
  );
  const missed = new Map<string, string>();
  for (const { diff } of pairs) {
    for (const { part, reason } of diff.coverage.notCompared) missed.set(part, reason);
  }
  const shown = pairs.length === 1 ? common : common.map(uncounted);
  const gaps = [...missed].map(([part, reason]) => `${part} (${reason})`);
  return `Compared: ${shown.join(', ')}. Not compared: ${gaps.join(', ')}.`;
}

/** The counts of the first path say nothing about the others. */
function uncounted(part: string): string {
  const name = part.replace(/^\d+ (?:of \d+ )?/, '');
  return name === 'asset' ? 'assets' : name;
}

/** The page of a finding code in the documentation of this version. */
export function findingDocsUrl(code: string): string {
  return `https://unpkg.com/sonde@${VERSION}/docs/findings/${code.toLowerCase().replaceAll('_', '-')}.md`;
}

export function shownValue(value: Finding['left_value']): string {
  if (value === null) return '(absent)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : String(value);
}
