/** The reporters by name, and the parser of `-r name,name=file,…`. A reporter without a file prints to stdout. */
import { SondeError } from '../../errors.js';
import type { CompareReport } from '../compare/compare-report.js';
import { ownCommands } from '../own-sequences.js';
import type { PrettyOptions } from './pretty-report.js';

/** Each reporter is loaded on demand. */
const RENDERERS = {
  pretty: async (report, options) => (await import('./pretty-report.js')).prettyReport(report, options),
  json: async (report) => (await import('./json-report.js')).jsonReport(report),
  junit: async (report) => (await import('./junit-report.js')).junitReport(report),
  sarif: async (report) => (await import('./sarif-report.js')).sarifReport(report),
  md: async (report) => (await import('./markdown-report.js')).markdownReport(report),
  html: async (report) => (await import('./html-report.js')).htmlReport(report),
  github: async (report) => ownCommands((await import('./github-report.js')).githubReport(report)),
} satisfies Record<string, (report: CompareReport, options: PrettyOptions) => Promise<string>>;

export type ReporterName = keyof typeof RENDERERS;
export const REPORTER_NAMES = Object.keys(RENDERERS) as readonly ReporterName[];

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
  const [word = '', ...rest] = text.split('=');
  const name = REPORTER_NAMES.find((known) => known === word);
  if (!name) {
    throw new SondeError('USAGE', `-r accepts ${REPORTER_NAMES.join(', ')}, not ${JSON.stringify(word)}`);
  }
  if (rest.length === 0) return { name };
  const file = rest.join('=');
  if (file === '') throw new SondeError('USAGE', `-r ${name}= needs a file`);
  return { name, file };
}

export function renderReport(
  name: ReporterName,
  report: CompareReport,
  options: PrettyOptions,
): Promise<string> {
  return RENDERERS[name](report, options);
}
