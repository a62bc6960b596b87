/** `-r pretty,json=FILE,…`: which forms of a report are wanted, and where each goes. */
import type { AuditReport } from '../../audits/index.js';
import { SondeError } from '../../errors.js';

const NAMES = ['pretty', 'json', 'html', 'md', 'csv'] as const;
export type ReporterName = (typeof NAMES)[number];

export interface Reporter {
  readonly name: ReporterName;
  /** Stdout without it. */
  readonly file?: string;
}

export function readReporters(text: string): Reporter[] {
  const reporters = text.split(',').map((each) => readReporter(each.trim()));
  if (reporters.filter(({ file }) => file === undefined).length > 1) {
    throw new SondeError(
      'USAGE',
      'only one report can go to stdout: give the others a file, as in json=report.json',
    );
  }
  return reporters;
}

function readReporter(text: string): Reporter {
  const [word = '', ...rest] = text.split('=');
  const name = NAMES.find((known) => known === word);
  const file = rest.join('=');
  if (name === undefined || (rest.length > 0 && file === '')) {
    throw new SondeError(
      'USAGE',
      `-r takes ${NAMES.join(', ')}, each with =FILE where it should go to a file, not ${JSON.stringify(text)}`,
    );
  }
  return { name, ...(file !== '' && { file }) };
}

/** All forms but `pretty`, which needs a terminal. */
export async function renderReport(
  name: Exclude<ReporterName, 'pretty'>,
  report: AuditReport,
): Promise<string> {
  const { renderCsv, renderHtml, renderMarkdown } = await import('../../audits/index.js');
  switch (name) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'html':
      return renderHtml(report);
    case 'md':
      return renderMarkdown(report);
    case 'csv':
      return renderCsv(report);
  }
}
