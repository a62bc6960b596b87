/**
 * An audit as SARIF, JUnit and annotations. SARIF has one result per finding; one that a template repeats on many pages
 * has related locations. JUnit has one suite per category and one case per rule. GitHub shows one annotation per rule,
 * the costliest first.
 */
import {
  type AuditReport,
  findingsOf,
  type Issue,
  type RuleResult,
  ruleDocsUrl,
  SEVERITIES,
  spreadOf,
} from '../../audits/index.js';
import { tryUrl } from '../../try-url.js';
import { VERSION } from '../../version.js';
import { annotation, annotations } from '../reporters/github.js';
import { type JunitCase, type JunitSuite, junit } from '../reporters/junit.js';
import { type Place, type SarifResult, sarif } from '../reporters/sarif.js';
import type { FailOn } from './fail-on.js';

const RELATED_MAX = 20;

export function sarifReport(report: AuditReport): string {
  const { score, grade, stopped, hidden, measuredAt, reading } = report;
  const failing = report.rules.filter(({ issues }) => issues.length > 0);
  // Of a report from a server, which may be anything.
  const origin = tryUrl(report.homeUrl)?.origin;
  return sarif({
    product: 'audit',
    version: VERSION,
    origin,
    rules: failing.map((rule) => ({ ...rule, docsUrl: ruleDocsUrl(rule.id) })),
    results: failing.flatMap((rule) => rule.issues.map((issue) => resultOf(issue, rule, origin))),
    invocation: {
      executionSuccessful: stopped === undefined && score !== null,
      startTimeUtc: measuredAt,
      toolExecutionNotifications: reading?.note && [{ level: 'error', message: { text: reading.note } }],
    },
    properties: {
      ...{ score, grade, stopped },
      ...(hidden && { ignored: hidden.ignored, accepted: hidden.accepted }),
    },
  });
}

function resultOf(issue: Issue, { id, severity }: RuleResult, origin: string | undefined): SarifResult {
  const { element, observed, expected, also } = issue;
  const text = [
    element === undefined || observed.includes(element) ? observed : `${element}: ${observed}`,
    spreadOf(issue),
    `(expected: ${expected})`,
  ].filter((part) => part !== '');
  return {
    ...{ rule: id, severity, text: text.join(' ') },
    places: [placeOf(issue, origin)],
    also: also?.slice(0, RELATED_MAX).map((place) => placeOf(place, origin)),
    partialFingerprints: { 'sondeAuditFinding/v1': `${id} ${issue.url} ${element ?? ''} ${observed}` },
  };
}

function placeOf({ url, line }: Pick<Issue, 'url' | 'line'>, origin: string | undefined): Place {
  const isOwn = origin !== undefined && url.startsWith(`${origin}/`);
  return { uri: isOwn ? url.slice(origin.length + 1) : url, isOwn, line };
}

/** Findings listed per failure; JSON and CSV list all of them. */
const FAILURE_ISSUES_MAX = 50;

/** Rules that fail the audit under `--fail-on` are failures. */
export function junitReport({ rules, reading, measuredAt }: AuditReport, failOn: FailOn): string {
  const categories = [...new Set(rules.map(({ category }) => category))];
  const suites = categories.map((name): JunitSuite => {
    const own = rules.filter(({ category }) => category === name);
    return { name, cases: own.map((rule) => caseOf(rule, failOn)), startedAt: measuredAt };
  });
  // If little of the site could be read, that is a result of its own.
  if (reading?.note !== undefined) {
    const end = { kind: 'error', why: reading.note } as const;
    suites.unshift({ name: 'reading', cases: [{ name: 'pages', end }] });
  }
  return junit('audit', { suites });
}

function caseOf(rule: RuleResult, failOn: FailOn): JunitCase {
  const { id: name, status, reason, severity, title, fix } = rule;
  if (status === 'pass') return { name };
  if (status === 'error') return { name, end: { kind: 'error', why: reason ?? '' } };
  if (status === 'hidden')
    return { name, end: { kind: 'skipped', why: 'all findings are ignored or accepted' } };
  if (status === 'not-applicable' || status === 'not-measured')
    return { name, end: { kind: 'skipped', why: reason ?? '' } };
  const text = [title, ...issueLines(rule, '  ', FAILURE_ISSUES_MAX), `Fix: ${fix}`].join('\n');
  return { name, end: { kind: failOn.rule(rule) ? 'failure' : 'output', severity, title, text } };
}

function issueLines({ issues, issueCount }: RuleResult, gap: string, linesMax: number): string[] {
  const lines = issues.slice(0, linesMax).map((issue) => {
    const place = issue.line === undefined ? issue.url : `${issue.url}:${issue.line}`;
    return `${place}${gap}${issue.observed} ${spreadOf(issue)}`.trimEnd();
  });
  const more = issueCount - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** GitHub shows ten annotations of a kind per step; more only fill the log. */
const ANNOTATIONS_MAX = 50;
const ANNOTATION_ISSUES_MAX = 5;

export function githubReport(report: AuditReport): string {
  const { stopped, reading } = report;
  const rules = SEVERITIES.flatMap(({ severity }) => findingsOf(report, severity));
  const more = rules.length - ANNOTATIONS_MAX;
  return annotations([
    ...(reading?.note === undefined ? [] : [annotation('error', reading.note)]),
    ...(stopped === undefined
      ? []
      : [annotation('warn', `The audit was ${stopped}; this report is partial.`)]),
    ...rules.slice(0, ANNOTATIONS_MAX).map((rule) => {
      const text = [...issueLines(rule, ' ', ANNOTATION_ISSUES_MAX), `Fix: ${rule.fix}`].join('\n');
      return { severity: rule.severity, title: `${rule.title} (${rule.id})`, text };
    }),
    ...(more > 0 ? [annotation('info', `${more} more rules have findings.`)] : []),
  ]);
}
