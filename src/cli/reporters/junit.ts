/** JUnit XML. The counts of a suite and of the whole document are those of their cases. */
import { escapeXml } from './escape-xml.js';
import type { ReportedFinding } from './reported-finding.js';

export interface JunitCase {
  readonly name: string;
  /** A finding that does not fail the run is the output of a passing case. Without an end, the case passes. */
  readonly end?:
    | (ReportedFinding & { readonly kind: 'failure' | 'output' })
    | { readonly kind: 'skipped' | 'error'; readonly why: string; readonly type?: string };
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  readonly seconds?: number;
  /** ISO 8601. */
  readonly startedAt?: string;
}

export function junit(
  product: 'audit' | 'compare',
  { suites, seconds }: { readonly suites: readonly JunitSuite[]; readonly seconds?: number },
): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sonde ${product}" ${totals(all, seconds)}>`,
    ...suites.flatMap(({ name, cases, seconds: took, startedAt }) => {
      const start = startedAt === undefined ? '' : ` timestamp="${escapeXml(startedAt.slice(0, 19))}"`;
      return [
        `  <testsuite name="${escapeXml(name)}" ${totals(cases, took)}${start}>`,
        ...cases.map((each) => `    ${caseXml(`sonde.${product}.${name}`, each)}`),
        '  </testsuite>',
      ];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(cases: readonly JunitCase[], seconds: number | undefined): string {
  const count = (kind: NonNullable<JunitCase['end']>['kind']) =>
    cases.filter(({ end }) => end?.kind === kind).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds?.toFixed(3) ?? 0}"`;
}

function caseXml(classname: string, { name, end }: JunitCase): string {
  const open = `<testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}" time="0"`;
  return end === undefined ? `${open}/>` : `${open}>${endXml(end)}</testcase>`;
}

function endXml(end: NonNullable<JunitCase['end']>): string {
  if ('why' in end) {
    const type = end.type === undefined ? '' : ` type="${escapeXml(end.type)}"`;
    return `<${end.kind} message="${escapeXml(end.why)}"${type}/>`;
  }
  const { kind, title, severity, text } = end;
  if (kind === 'output') return `<system-out>${escapeXml(text)}</system-out>`;
  return `<failure message="${escapeXml(title)}" type="${severity}">${escapeXml(text)}</failure>`;
}
