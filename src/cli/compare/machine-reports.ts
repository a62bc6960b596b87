/**
 * A comparison as SARIF, JUnit and annotations. SARIF has one result per group of findings with a location per path,
 * worst first. JUnit has one suite per path and one case per finding. GitHub shows one annotation per group.
 */
import {
  counts,
  FINDING_CODES,
  type Finding,
  type FindingGroup,
  isNoise,
  RULES,
} from '../../compare/index.js';
import { tryUrl } from '../../try-url.js';
import { wellFormed } from '../../well-formed.js';
import { annotation, annotations } from '../reporters/github.js';
import { type JunitCase, type JunitSuite, junit } from '../reporters/junit.js';
import { type Place, type SarifResult, type SarifRule, sarif } from '../reporters/sarif.js';
import {
  allFindings,
  alsoText,
  type CompareReport,
  fails,
  findingDocsUrl,
  groupsOf,
  type ReportedPair,
  SUITE_NAME,
  sentenceOf,
  shownValue,
  truncate,
  whereText,
} from './compare-report.js';

const SARIF_VALUE_CHARS = 300;
/** Maximum number of locations per result that code scanning reads. */
const LOCATIONS_MAX = 1000;

export function sarifReport(report: CompareReport): string {
  const found = [...allFindings(report)];
  const codes = [...new Set(found.map(({ finding }) => finding.code))].sort();
  const accepted = found.filter(({ finding }) => !counts(finding) && finding.explainedBy === undefined);
  const { startedAt, durationMs, verdict, version } = report;
  return sarif({
    product: 'compare',
    version,
    origin: tryUrl(report.pairs[0]?.right.requestedUrl ?? '')?.origin,
    rules: codes.map(ruleOf),
    results: [
      ...groupsOf(report).map(({ example, message, paths }) =>
        resultOf({ ...example, message }, paths, report),
      ),
      ...accepted.map(({ name, finding }) => resultOf(finding, [name], report)),
    ],
    invocation: {
      executionSuccessful: verdict !== 'inconclusive',
      startTimeUtc: startedAt,
      endTimeUtc: new Date(Date.parse(startedAt) + durationMs).toISOString(),
    },
    properties: { verdict, left: report.leftLabel, right: report.rightLabel },
  });
}

function ruleOf(code: Finding['code']): SarifRule {
  const rule = RULES.find((each) => each.code === code);
  return {
    id: code,
    title: rule?.title ?? code,
    about: rule?.about,
    fix: rule?.recommendation,
    docsUrl: findingDocsUrl(code),
    category: FINDING_CODES[code],
  };
}

function resultOf(finding: Finding, names: readonly string[], report: CompareReport): SarifResult {
  const { id, code, severity, message, direction, effect, stability, status } = finding;
  const why = isNoise(finding) ? 'noisy' : status;
  return {
    rule: code,
    severity,
    text: `${message} (${sideTexts(finding, report, SARIF_VALUE_CHARS).join('; ')})`,
    places: names.slice(0, LOCATIONS_MAX).map(placeOf),
    occurrenceCount: names.length,
    partialFingerprints: { 'sondeFinding/v1': finding.fingerprint },
    ...((status !== 'new' || stability === 'noisy') && {
      suppressions: [{ kind: 'external', justification: why }],
    }),
    properties: { id, direction, effect, stability },
  };
}

function placeOf(name: string): Place {
  const uri = name === SUITE_NAME ? '' : encodeURI(wellFormed(name.replace(/^\/+/, '')));
  return { uri, isOwn: true };
}

/** Both values, each with the name of its side. */
function sideTexts(
  { left_value, right_value }: Finding,
  { leftLabel, rightLabel }: CompareReport,
  charsMax = Number.POSITIVE_INFINITY,
): string[] {
  const shown = (value: Finding['left_value']) => truncate(shownValue(value), charsMax);
  return [`${leftLabel}: ${shown(left_value)}`, `${rightLabel}: ${shown(right_value)}`];
}

/** Findings that fail the run are failures, findings that do not count are skipped, an inconclusive path is an error. */
export function junitReport(report: CompareReport): string {
  const { suiteFindings, pairs, startedAt, durationMs } = report;
  const cases = suiteFindings.map((finding) => caseOf(finding, report));
  const suites = [
    ...(cases.length > 0 ? [{ name: SUITE_NAME, cases, seconds: 0, startedAt }] : []),
    ...pairs.map((pair) => suiteOf(pair, report)),
  ];
  return junit('compare', { suites, seconds: durationMs / 1000 });
}

/** Every path has a case of its own, so that a path without findings is seen to pass. */
function suiteOf({ name, diff, left, right }: ReportedPair, report: CompareReport): JunitSuite {
  const ms = (left.result.durationMs ?? 0) + (right.result.durationMs ?? 0);
  const why = diff.verdictReasons.join('; ');
  const judgement: JunitCase = {
    name: 'judgement',
    ...(diff.verdict === 'inconclusive' && { end: { kind: 'error', why, type: 'inconclusive' } }),
  };
  const cases = [judgement, ...diff.findings.map((finding) => caseOf(finding, report))];
  return { name, cases, seconds: ms / 1000, startedAt: report.startedAt };
}

function caseOf(finding: Finding, report: CompareReport): JunitCase {
  const { id, severity, message, status, explainedBy, recommendations } = finding;
  if (!counts(finding)) {
    const why = explainedBy === undefined ? status : `explained by ${explainedBy}`;
    return { name: id, end: { kind: 'skipped', why: isNoise(finding) ? 'noisy' : why } };
  }
  const text = [message, ...sideTexts(finding, report), ...recommendations].join('\n');
  const kind = fails(finding, report.failOn) ? 'failure' : 'output';
  return { name: id, end: { kind, severity, title: message, text } };
}

/** GitHub shows ten annotations of a kind per step; more only fill the log. */
const ANNOTATIONS_MAX = 20;
const PATHS_MAX = 10;

/** Info findings are not listed. */
export function githubReport(report: CompareReport): string {
  const groups = groupsOf(report).filter(({ severity }) => severity !== 'info');
  const isPartial = report.verdict === 'inconclusive' || report.interruptedOf !== undefined;
  const left = groups.length - ANNOTATIONS_MAX;
  return annotations([
    ...(isPartial ? [annotation('warn', sentenceOf(report))] : []),
    ...groups.slice(0, ANNOTATIONS_MAX).map((group) => annotationOf(group, report)),
    ...(left > 0 ? [annotation('info', `${left} more kinds of findings are in the report.`)] : []),
  ]);
}

function annotationOf(group: FindingGroup, report: CompareReport) {
  const { code, severity, message, example, paths, of } = group;
  const more = paths.length > PATHS_MAX ? ` and ${paths.length - PATHS_MAX} more` : '';
  const text = [
    message,
    ...sideTexts(example, report),
    ...(of > 1 && paths.length > 1 ? [`Paths: ${paths.slice(0, PATHS_MAX).join(', ')}${more}`] : []),
    alsoText(group),
  ];
  const lines = text.filter((line) => line !== '').join('\n');
  return { severity, title: `${code} ${whereText(group) || (paths[0] ?? '')}`, text: lines };
}
