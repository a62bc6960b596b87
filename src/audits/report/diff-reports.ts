/**
 * Compares two audits of a site, finding by finding: new, fixed, still there. Findings match by rule, URL and element;
 * lines and figures may change. What the later audit did not check (a page that was not crawled, a rule that was not
 * measured) is neither fixed nor still there, but `notSeen`.
 */
import { runSteps } from '../../loop-turns.js';
import { placesOf } from '../tally.js';
import type { AuditDiff, AuditReport, RuleResult } from './audit-report.js';

type DiffIssue = AuditDiff['new'][number];

export function diffReports(before: AuditReport, after: AuditReport): AuditDiff {
  return runSteps(diffInSteps(before, after));
}

/** Yields after each finding, and between the passes over all of them. */
export function* diffInSteps(before: AuditReport, after: AuditReport): Generator<void, AuditDiff> {
  const earlier = yield* issuesByKey(before);
  const later = yield* issuesByKey(after);
  const pages = new Set(after.pages.map(({ url }) => url));
  const measured = new Set(
    after.rules
      .filter(({ passRatio, status }) => passRatio !== null || status === 'not-applicable')
      .map(({ id }) => id),
  );
  const crawledBefore = new Set(before.pages.map(({ url }) => url));
  const wasChecked = ({ rule, url }: DiffIssue) =>
    measured.has(rule) && (pages.has(url) || !crawledBefore.has(url));
  const gone = yield* issuesWhere(earlier, (key) => !later.has(key));
  return {
    scoreBefore: before.score,
    scoreAfter: after.score,
    new: yield* issuesWhere(later, (key) => !earlier.has(key)),
    fixed: gone.filter(wasChecked),
    stillThere: yield* issuesWhere(later, (key) => earlier.has(key)),
    notSeen: gone.filter((issue) => !wasChecked(issue)),
    incomplete: [...new Set([...before.rules, ...after.rules].filter(isCut).map(({ id }) => id))].sort(),
  };
}

/** Entries that are looked at between two yields. */
const PER_STEP = 1_000;

function* issuesWhere(
  issues: ReadonlyMap<string, DiffIssue>,
  wanted: (key: string) => boolean,
): Generator<void, DiffIssue[]> {
  const found: DiffIssue[] = [];
  let looked = 0;
  for (const [key, issue] of issues) {
    looked += 1;
    if (looked % PER_STEP === 0) yield;
    if (wanted(key)) found.push(issue);
  }
  return found;
}

function* issuesByKey({ rules }: AuditReport): Generator<void, Map<string, DiffIssue>> {
  const issues = new Map<string, DiffIssue>();
  for (const { id, issues: own } of rules) {
    const counts = new Map<string, number>();
    for (const { also, ...issue } of own) {
      for (const [index, place] of placesOf({ ...issue, ...(also && { also }) }).entries()) {
        if (index % PER_STEP === 0) yield;
        // The same element twice on one page is two findings.
        const key = JSON.stringify([id, place.url, issue.element ?? '']);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        issues.set(count === 1 ? key : `${key}#${count}`, { rule: id, ...issue, ...place });
      }
    }
  }
  return issues;
}

function isCut({ issues, placeCount }: RuleResult): boolean {
  return issues.reduce((sum, issue) => sum + placesOf(issue).length, 0) < placeCount;
}
