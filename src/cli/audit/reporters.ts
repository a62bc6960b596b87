/** `-r pretty,json=FILE,…`: the requested report formats and where each is written. */
import type { AuditReport } from '../../audits/index.js';
import { SondeError } from '../../errors.js';
import type { FailOn } from './fail-on.js';

export const REPORTER_NAMES = ['pretty', 'json', 'html', 'md', 'csv', 'junit', 'sarif', 'github'] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

export interface Reporter {
  readonly name: ReporterName;
  /** Stdout by default. */
  readonly file?: string;
}

export function readReporters(text: string): Reporter[] {
  const reporters = text.split(',').map((each) => readReporter(each.trim()));
  // GitHub's runner finds annotations among other output.
  const printed = reporters.filter(({ file, name }) => file === undefined && name !== 'github');
  if (printed.length > 1) {
    throw new SondeError(
      'USAGE',
      'only one report can go to stdout; give the others a file, as in json=report.json',
    );
  }
  return reporters;
}

function readReporter(text: string): Reporter {
  const [word = '', ...rest] = text.split('=');
  const name = REPORTER_NAMES.find((known) => known === word);
  const file = rest.join('=');
  if (name === undefined || (rest.length > 0 && file === '')) {
    throw new SondeError(
      'USAGE',
      `-r takes ${REPORTER_NAMES.join(', ')}, each optionally followed by =FILE; got ${JSON.stringify(text)}`,
    );
  }
  return { name, ...(file !== '' && { file }) };
}

/** Renders all formats except `pretty`, which needs a terminal. Each renderer is loaded on demand. */
export async function renderReport(
  name: Exclude<ReporterName, 'pretty'>,
  report: AuditReport,
  failOn: FailOn,
): Promise<string> {
  const audits = () => import('../../audits/index.js');
  switch (name) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'html':
      return (await audits()).renderHtml(report);
    case 'md':
      return (await audits()).renderMarkdown(report);
    case 'csv':
      return (await audits()).renderCsv(report);
    case 'junit':
      return (await import('./junit-report.js')).junitReport(report, failOn);
    case 'sarif':
      return (await import('./sarif-report.js')).sarifReport(report);
    case 'github':
      return (await import('./github-report.js')).githubReport(report);
  }
}
