/** The reporters by name, and the parser of `-r name,name=file,…`. A reporter without a file prints to stdout. */
import { SondeError } from '../../errors.js';
import type { CompareReport } from '../compare/compare-report.js';
import type { PrettyOptions } from './pretty-report.js';

export const REPORTER_NAMES = ['pretty', 'json', 'junit', 'sarif', 'md', 'html', 'github'] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

export interface ReporterChoice {
  readonly name: ReporterName;
  /** Stdout by default. */
  readonly file?: string;
}

export function readReporters(texts: readonly string[]): ReporterChoice[] {
  const choices = texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(readReporter);
  const printed = choices.filter(({ file, name }) => file === undefined && name !== 'github');
  if (printed.length > 1) {
    const names = printed.map(({ name }) => name).join(' and ');
    throw new SondeError(
      'USAGE',
      `-r ${names} would both print on stdout: give all but one a file, as in md=report.md`,
    );
  }
  return choices;
}

function readReporter(text: string): ReporterChoice {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const file = equals < 0 ? undefined : text.slice(equals + 1);
  if (!isReporter(name)) {
    throw new SondeError('USAGE', `-r accepts ${REPORTER_NAMES.join(', ')}, not ${JSON.stringify(name)}`);
  }
  if (file === '') throw new SondeError('USAGE', `-r ${name}= needs a file`);
  return { name, ...(file !== undefined && { file }) };
}

function isReporter(name: string): name is ReporterName {
  return REPORTER_NAMES.some((each) => each === name);
}

/** Each reporter is loaded on demand. */
export async function renderReport(
  name: ReporterName,
  report: CompareReport,
  options: PrettyOptions,
): Promise<string> {
  switch (name) {
    case 'pretty':
      return (await import('./pretty-report.js')).prettyReport(report, options);
    case 'json':
      return (await import('./json-report.js')).jsonReport(report);
    case 'junit':
      return (await import('./junit-report.js')).junitReport(report);
    case 'sarif':
      return (await import('./sarif-report.js')).sarifReport(report);
    case 'md':
      return (await import('./markdown-report.js')).markdownReport(report);
    case 'html':
      return (await import('./html-report.js')).htmlReport(report);
    case 'github':
      return (await import('./github-report.js')).githubReport(report);
  }
}
