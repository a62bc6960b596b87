/** JUnit XML: one suite per category, one case per rule. Rules that fail the audit under `--fail-on` are failures. */
import { type AuditReport, placesOf, type RuleResult, spreadOf } from '../../audits/index.js';
import { escapeXml } from '../reporters/escape-xml.js';
import type { FailOn } from './fail-on.js';

/** Findings listed per failure; JSON and CSV list all of them. */
const SHOWN = 50;

export function junitReport(report: AuditReport, failOn: FailOn): string {
  const categories = [...new Set(report.rules.map(({ category }) => category))];
  const suites = categories.map((category) => {
    const rules = report.rules.filter((rule) => rule.category === category);
    return suiteXml(category, rules, { failOn, measuredAt: report.measuredAt });
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sonde audit" ${totals(report.rules, failOn)} time="0">`,
    ...readingSuite(report),
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

/** If little of the site could be read, that is a result of its own. */
function readingSuite({ reading }: AuditReport): string[] {
  if (reading?.note === undefined) return [];
  return [
    '  <testsuite name="reading" tests="1" failures="0" errors="1" skipped="0" time="0">',
    `    <testcase classname="sonde.audit.reading" name="pages" time="0"><error message="${escapeXml(reading.note)}"/></testcase>`,
    '  </testsuite>',
  ];
}

function suiteXml(
  name: string,
  rules: readonly RuleResult[],
  { failOn, measuredAt }: { readonly failOn: FailOn; readonly measuredAt: string },
): string {
  const about = `name="${escapeXml(name)}" ${totals(rules, failOn)} time="0" timestamp="${escapeXml(measuredAt.slice(0, 19))}"`;
  return [
    `  <testsuite ${about}>`,
    ...rules.map((rule) => `    ${caseXml(rule, failOn)}`),
    '  </testsuite>',
  ].join('\n');
}

function caseXml(rule: RuleResult, failOn: FailOn): string {
  const open = `<testcase classname="sonde.audit.${escapeXml(rule.category)}" name="${escapeXml(rule.id)}" time="0"`;
  if (rule.status === 'error') return `${open}><error message="${escapeXml(rule.reason ?? '')}"/></testcase>`;
  if (isSkipped(rule)) {
    const why = rule.status === 'hidden' ? 'all findings are ignored or accepted' : (rule.reason ?? '');
    return `${open}><skipped message="${escapeXml(why)}"/></testcase>`;
  }
  if (rule.status === 'pass') return `${open}/>`;
  const text = escapeXml(findingText(rule));
  if (!failOn.rule(rule)) return `${open}><system-out>${text}</system-out></testcase>`;
  return `${open}><failure message="${escapeXml(rule.title)}" type="${rule.severity}">${text}</failure></testcase>`;
}

function findingText({ title, issues, issueCount, fix }: RuleResult): string {
  const shown = issues.slice(0, SHOWN).map((issue) => {
    const [first] = placesOf(issue);
    const place = first?.line === undefined ? issue.url : `${issue.url}:${first.line}`;
    return `${place}  ${issue.observed} ${spreadOf(issue)}`.trimEnd();
  });
  const more = issueCount - shown.length;
  return [title, ...shown, ...(more > 0 ? [`and ${more} more`] : []), `Fix: ${fix}`].join('\n');
}

function isSkipped({ status }: RuleResult): boolean {
  return status === 'not-applicable' || status === 'not-measured' || status === 'hidden';
}

function totals(rules: readonly RuleResult[], failOn: FailOn): string {
  const count = (is: (rule: RuleResult) => boolean) => rules.filter(is).length;
  return `tests="${rules.length}" failures="${count(failOn.rule)}" errors="${count(({ status }) => status === 'error')}" skipped="${count(isSkipped)}"`;
}
