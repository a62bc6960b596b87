/** The texts that reporters of `sonde compare` share. */
import {
  counts,
  type Finding,
  type FindingGroup,
  groupFindings,
  isNoise,
  type Severity,
  type SideLabels,
  type Verdict,
  verdictSentence,
} from '../../compare/index.js';
import { VERSION } from '../../version.js';
import type { CompareReport } from '../../workflows/compare-report.js';

export {
  type BaselineUse,
  type CompareReport,
  type ReportedPair,
  verdictOfPairs,
  worstVerdict,
} from '../../workflows/compare-report.js';

/** Whether this finding alone makes the run fail under `--fail-on`. */
export function fails(finding: Finding, failOn: CompareReport['failOn']): boolean {
  if (!counts(finding)) return false;
  return finding.severity === 'critical' || (failOn === 'warn' && finding.severity === 'warn');
}

export const SUITE_NAME = 'suite';

/** All findings of a run, each with the name of its path. */
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

/** Findings grouped across paths, most severe and rarest first, including those about the suite itself. */
export function groupsOf({ pairs, suiteFindings }: CompareReport): readonly FindingGroup[] {
  const suite = suiteFindings.length === 0 ? [] : [{ name: SUITE_NAME, diff: { findings: suiteFindings } }];
  const groups = groupFindings([...suite, ...pairs]);
  return groups.map((group) => ({ ...group, of: pairs.length }));
}

/** "on 50 of 50 paths"; empty for a single pair. */
export function whereText({ paths, of }: FindingGroup): string {
  if (paths[0] === SUITE_NAME) return 'in the path list';
  if (of < 2) return '';
  return paths.length === 1 ? `on 1 of ${of} paths: ${paths[0]}` : `on ${paths.length} of ${of} paths`;
}

/** "also: 6 findings that this explains (VARY_DRIFT, …)"; empty if there are none. */
export function alsoText({ also }: FindingGroup): string {
  if (also.length === 0) return '';
  const shown = also.slice(0, ALSO_MAX).map(({ code }) => code);
  const more = also.length - shown.length;
  return `also: ${findingsText(also.length)} that this explains (${shown.join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

const ALSO_MAX = 6;

export function findingsText(count: number): string {
  return `${count} ${count === 1 ? 'finding' : 'findings'}`;
}

export interface Tally {
  readonly critical: number;
  readonly warn: number;
  readonly info: number;
  readonly passed: number;
  /** Findings that do not count, by reason. */
  readonly aside: Readonly<Record<'noisy' | 'suppressed' | 'known', number>>;
}

export function tallyOf(report: CompareReport): Tally {
  const tally = { critical: 0, warn: 0, info: 0 };
  const aside = { noisy: 0, suppressed: 0, known: 0 };
  for (const { finding } of allFindings(report)) {
    if (counts(finding)) tally[finding.severity]++;
    else if (isNoise(finding)) aside.noisy++;
    else if (finding.status === 'suppressed' || finding.status === 'known') aside[finding.status]++;
  }
  const passed = report.pairs.filter(({ diff }) => diff.verdict === 'pass').length;
  return { ...tally, passed, aside };
}

/** Counts the findings of a single pair, or the kinds of findings of a suite. */
export function countedText(report: CompareReport): string {
  const groups = groupsOf(report);
  const count = (severity: Severity) => groups.filter((group) => group.severity === severity).length;
  const counted = `${count('critical')} critical, ${count('warn')} warn, ${count('info')} info`;
  return report.pairs.length === 1 ? counted : `${counted} on ${report.pairs.length} paths`;
}

/** The verdict as a sentence with the sides' names, marked as partial if the run was stopped early. */
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

/** Lists the parts that were compared on every path, and the parts that were not compared. */
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
  const shown = pairs.length === 1 ? common : common.map(withoutCount);
  const gaps = [...missed].map(([part, reason]) => `${part} (${reason})`);
  return `Compared: ${shown.join(', ')}. Not compared: ${gaps.join(', ')}.`;
}

/** Drops the counts, which are only those of the first path. */
function withoutCount(part: string): string {
  const name = part.replace(/^\d+ (?:of \d+ )?/, '');
  return name === 'asset' ? 'assets' : name;
}

/** URL of the page about a finding code, in the documentation of this version. */
export function findingDocsUrl(code: string): string {
  return `https://unpkg.com/sonde@${VERSION}/docs/findings/${code.toLowerCase().replaceAll('_', '-')}.md`;
}

export const SHAPES: Readonly<Record<Severity, string>> = { critical: '✗', warn: '▲', info: '•' };

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: '✓ pass',
  warn: '▲ warn',
  fail: '✗ fail',
  inconclusive: '? inconclusive',
};

/** Cuts a text off at a number of characters. */
export function truncate(text: string, charsMax: number): string {
  return text.length > charsMax ? `${text.slice(0, Math.max(1, charsMax - 1))}…` : text;
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function shownValue(value: Finding['left_value']): string {
  if (value === null) return '(absent)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : String(value);
}
