/**
 * SARIF 2.1.0 for code scanning: one run, one rule per finding code that occurs, and one result per group of findings
 * with a location per path, worst first. Results have the fingerprints of their findings, so that a platform can match
 * them between runs. An accepted finding is a suppressed result, not a missing one.
 */
import { counts, FINDING_CODES, type Finding, isNoise, RULES, type Severity } from '../../compare/index.js';
import { tryUrl } from '../../try-url.js';
import { wellFormed } from '../../well-formed.js';
import {
  allFindings,
  type CompareReport,
  findingDocsUrl,
  groupsOf,
  SUITE_NAME,
  shownValue,
  truncate,
} from '../compare/compare-report.js';

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  warn: 'warning',
  info: 'note',
};
const BASE = 'SITE';
const VALUE_CHARS_MAX = 300;

export function sarifReport(report: CompareReport): string {
  const found = [...allFindings(report)];
  const codes = [...new Set(found.map(({ finding }) => finding.code))].sort();
  const origin = originOf(report);
  const accepted = found.filter(({ finding }) => !counts(finding) && finding.explainedBy === undefined);
  const results = [
    ...groupsOf(report).map(({ example, message, paths }) =>
      resultOf({ ...example, message }, { names: paths, report, codes }),
    ),
    ...accepted.map(({ name, finding }) => resultOf(finding, { names: [name], report, codes })),
  ];
  const run = {
    tool: {
      driver: {
        name: 'Sonde',
        version: report.version,
        rules: codes.map(ruleOf),
      },
    },
    automationDetails: { id: 'sonde-compare/' },
    ...(origin !== undefined && { originalUriBaseIds: { [BASE]: { uri: `${origin}/` } } }),
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: report.verdict !== 'inconclusive',
        startTimeUtc: report.startedAt,
        endTimeUtc: new Date(Date.parse(report.startedAt) + report.durationMs).toISOString(),
      },
    ],
    results,
    properties: { verdict: report.verdict, left: report.leftLabel, right: report.rightLabel },
  };
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(document)}\n`;
}

function ruleOf(code: Finding['code']) {
  const rule = RULES.find((each) => each.code === code);
  return {
    id: code,
    shortDescription: { text: rule?.title ?? code },
    ...(rule && { fullDescription: { text: rule.about }, help: { text: rule.recommendation } }),
    helpUri: findingDocsUrl(code),
    properties: { category: FINDING_CODES[code] },
  };
}

interface ResultContext {
  readonly names: readonly string[];
  readonly report: CompareReport;
  readonly codes: readonly string[];
}

function resultOf(finding: Finding, { names, report, codes }: ResultContext) {
  const { leftLabel, rightLabel } = report;
  const accepted = finding.status !== 'new' || finding.stability === 'noisy';
  const shown = (value: Finding['left_value']) => truncate(shownValue(value), VALUE_CHARS_MAX);
  const text = `${finding.message} (${leftLabel}: ${shown(finding.left_value)}; ${rightLabel}: ${shown(finding.right_value)})`;
  return {
    ruleId: finding.code,
    ruleIndex: codes.indexOf(finding.code),
    level: LEVELS[finding.severity],
    message: { text },
    locations: names.slice(0, LOCATIONS_MAX).map(locationOf),
    occurrenceCount: names.length,
    partialFingerprints: { 'sondeFinding/v1': finding.fingerprint },
    ...(accepted && {
      suppressions: [{ kind: 'external', justification: isNoise(finding) ? 'noisy' : finding.status }],
    }),
    properties: {
      id: finding.id,
      direction: finding.direction,
      effect: finding.effect,
      stability: finding.stability,
    },
  };
}

/** Maximum number of locations per result that code scanning reads. */
const LOCATIONS_MAX = 1000;

function locationOf(name: string) {
  const uri = name === SUITE_NAME ? '' : encodeURI(wellFormed(name.replace(/^\/+/, '')));
  return { physicalLocation: { artifactLocation: { uri: uri === '' ? '.' : uri, uriBaseId: BASE } } };
}

function originOf({ pairs }: CompareReport): string | undefined {
  const url = pairs[0]?.right.requestedUrl ?? '';
  return tryUrl(url)?.origin;
}
