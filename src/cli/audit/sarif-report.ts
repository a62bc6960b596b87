/**
 * SARIF 2.1.0 for code scanning: one run, one rule per audit rule with findings, one result per finding. A finding that
 * a template repeats on many pages is one result with related locations.
 */
import {
  type AuditReport,
  type Issue,
  placesOf,
  type RuleResult,
  ruleDocsUrl,
  spreadOf,
} from '../../audits/index.js';
import { tryUrl } from '../../try-url.js';
import { VERSION } from '../../version.js';

const LEVELS = { error: 'error', warn: 'warning', info: 'note' } as const;
const BASE = 'SITE';
const RELATED_MAX = 20;

export function sarifReport(report: AuditReport): string {
  const failing = report.rules.filter(({ issues }) => issues.length > 0);
  // Of a report from a server, which may be anything.
  const origin = tryUrl(report.homeUrl)?.origin;
  const { note } = report.reading ?? {};
  const run = {
    tool: { driver: { name: 'Sonde', version: VERSION, rules: failing.map(ruleOf) } },
    automationDetails: { id: 'sonde-audit/' },
    ...(origin !== undefined && { originalUriBaseIds: { [BASE]: { uri: `${origin}/` } } }),
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: report.stopped === undefined && report.score !== null,
        startTimeUtc: report.measuredAt,
        ...(note !== undefined && {
          toolExecutionNotifications: [{ level: 'error', message: { text: note } }],
        }),
      },
    ],
    results: failing.flatMap((rule, ruleIndex) =>
      rule.issues.map((issue) => resultOf(issue, { rule, ruleIndex, origin })),
    ),
    properties: {
      score: report.score,
      grade: report.grade,
      ...(report.stopped !== undefined && { stopped: report.stopped }),
      ...(report.hidden && { ignored: report.hidden.ignored, accepted: report.hidden.accepted }),
    },
  };
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(document)}\n`;
}

function ruleOf({ id, title, fix, category, severity }: RuleResult) {
  return {
    id,
    shortDescription: { text: title },
    help: { text: fix },
    helpUri: ruleDocsUrl(id),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { category },
  };
}

interface ResultContext {
  readonly rule: RuleResult;
  readonly ruleIndex: number;
  readonly origin: string | undefined;
}

function resultOf(issue: Issue, { rule, ruleIndex, origin }: ResultContext) {
  const { element, observed, expected, also = [] } = issue;
  const [first] = placesOf(issue);
  const text = [
    element === undefined || observed.includes(element) ? observed : `${element}: ${observed}`,
    spreadOf(issue),
    `(expected: ${expected})`,
  ].filter((part) => part !== '');
  return {
    ruleId: rule.id,
    ruleIndex,
    level: LEVELS[rule.severity],
    message: { text: text.join(' ') },
    locations: [location(first ?? issue, origin)],
    ...(also.length > 0 && {
      relatedLocations: also
        .slice(0, RELATED_MAX)
        .map((place, at) => ({ id: at + 1, ...location(place, origin) })),
    }),
    partialFingerprints: { 'sondeAuditFinding/v1': `${rule.id} ${issue.url} ${element ?? ''} ${observed}` },
  };
}

function location(
  { url, line }: { readonly url: string; readonly line?: number },
  origin: string | undefined,
) {
  const isOwn = origin !== undefined && url.startsWith(`${origin}/`);
  const path = isOwn ? url.slice(origin.length + 1) : url;
  return {
    physicalLocation: {
      artifactLocation: { uri: path === '' ? '.' : path, ...(isOwn && { uriBaseId: BASE }) },
      ...(line !== undefined && line > 0 && { region: { startLine: line } }),
    },
  };
}
