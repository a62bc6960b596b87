/** `-r pretty,json=FILE,…`: the requested report formats and where each is written. */
import type { AuditReport } from '../../audits/index.js';
import { SondeError } from '../../errors.js';
import { ownCommands } from '../own-sequences.js';
import type { Paint } from '../paint.js';
import type { FailOn } from './fail-on.js';

const audits = () => import('../../audits/index.js');

/** Each renderer is loaded on demand. */
const RENDERERS = {
  pretty: async (report, { paint }) =>
    `${await (await import('./pretty-report.js')).prettyReport(report, paint, report.startUrl)}\n`,
  json: async (report) => `${JSON.stringify(report, null, 2)}\n`,
  html: async (report) => (await audits()).renderHtml(report),
  md: async (report) => (await audits()).renderMarkdown(report),
  csv: async (report) => (await audits()).renderCsv(report),
  junit: async (report, { failOn }) => (await import('./junit-report.js')).junitReport(report, failOn),
  sarif: async (report) => (await import('./sarif-report.js')).sarifReport(report),
  github: async (report) => ownCommands((await import('./github-report.js')).githubReport(report)),
} satisfies Record<string, (report: AuditReport, options: RenderOptions) => Promise<string>>;

interface RenderOptions {
  readonly paint: Paint;
  readonly failOn: FailOn;
}

export type ReporterName = keyof typeof RENDERERS;
export const REPORTER_NAMES = Object.keys(RENDERERS) as readonly ReporterName[];

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

export function renderReport(
  name: ReporterName,
  report: AuditReport,
  options: RenderOptions,
): Promise<string> {
  return RENDERERS[name](report, options);
}
