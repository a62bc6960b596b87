/**
 * Removes findings that a person has already decided about: ignored by rule and path, or accepted by a baseline. A
 * baseline entry accepts exactly what was observed: rule, path and value. The score does not change. A rule without
 * visible findings gets the status `hidden`; the report says how many were hidden, and why.
 */
import { tryUrl } from '../../try-url.js';
import type { Rule } from '../rule.js';
import { failureTitle } from '../rule-title.js';
import { placesOf } from '../tally.js';
import type { AcceptedFinding, AuditReport, Issue, Place, RuleResult } from './audit-report.js';
import { countsOf } from './counts-of.js';

export interface HideOptions {
  /** The rules that ran, for their titles. */
  readonly rules: readonly Rule[];
  isIgnored(rule: string, path: string): boolean;
  readonly accepted: readonly AcceptedFinding[];
}

export function hideFindings(report: AuditReport, options: HideOptions): AuditReport {
  const origin = tryUrl(report.homeUrl)?.origin ?? '';
  const open = new Map(
    options.accepted.flatMap((finding) =>
      finding.paths.map((path) => [keyOf(finding, path), { finding, path }] as const),
    ),
  );
  const seen = new Set<string>();
  let ignored = 0;
  const rules = report.rules.map((result) => {
    const issues = result.issues.flatMap((issue) => {
      const places = placesOf(issue).filter((place) => {
        const path = pathIn(origin, place.url);
        if (options.isIgnored(result.id, path)) {
          ignored += 1;
          return false;
        }
        const key = keyOf(acceptedOf(origin, result.id, issue), path);
        if (open.has(key)) seen.add(key);
        return !open.has(key);
      });
      return withPlaces(issue, places);
    });
    return issues.length === result.issues.length && issues.every((each, at) => each === result.issues[at])
      ? result
      : withIssues(result, issues, options.rules);
  });
  const ran = new Set(report.rules.map(({ id }) => id));
  const gone = [...open].filter(([key, { finding }]) => !seen.has(key) && ran.has(finding.rule));
  return {
    ...report,
    rules,
    counts: countsOf(rules, report.counts.pages, report.counts.checks),
    hidden: {
      ignored,
      accepted: seen.size,
      gone: gone.map(([, { finding, path }]) => ({ ...finding, paths: [path] })),
    },
  };
}

/** All findings of a report, in the form in which a baseline accepts them. */
export function acceptedFindings(report: AuditReport): AcceptedFinding[] {
  const origin = tryUrl(report.homeUrl)?.origin ?? '';
  return report.rules.flatMap(({ id, issues }) =>
    issues.map((issue) => ({
      ...acceptedOf(origin, id, issue),
      paths: [...new Set(placesOf(issue).map(({ url }) => pathIn(origin, url)))],
    })),
  );
}

/** Without the origin, so that a baseline from production also matches a preview. */
function acceptedOf(
  origin: string,
  rule: string,
  { element, observed }: Issue,
): Omit<AcceptedFinding, 'paths'> {
  return {
    rule,
    ...(element !== undefined && { element: element.replaceAll(origin, '') }),
    observed: observed.replaceAll(origin, ''),
  };
}

function keyOf({ rule, element, observed }: Omit<AcceptedFinding, 'paths'>, path: string): string {
  return JSON.stringify([rule, path, element ?? '', observed]);
}

function pathIn(origin: string, url: string): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

function withPlaces(issue: Issue, places: readonly Place[]): Issue[] {
  const [first, ...also] = places;
  if (!first) return [];
  if (places.length === placesOf(issue).length) return [issue];
  const { also: _also, line: _line, ...rest } = issue;
  return [{ ...rest, ...first, ...(also.length > 0 && { also }) }];
}

function withIssues(result: RuleResult, issues: readonly Issue[], rules: readonly Rule[]): RuleResult {
  const rule = rules.find(({ id }) => id === result.id);
  const places = issues.flatMap(placesOf);
  const count =
    result.scope === 'page'
      ? new Set(places.map(({ url }) => url)).size
      : rule?.scope === 'site' && rule.perPage
        ? places.length
        : issues.length;
  return {
    ...result,
    status: issues.length === 0 ? 'hidden' : result.status,
    title: rule ? (count === 0 ? rule.passTitle : failureTitle(rule.title, count)) : result.title,
    issues,
    issueCount: issues.length,
    placeCount: places.length,
  };
}
