/** The reports of a comparison by name. */
import type { CompareReport } from '../compare/compare-report.js';
import { ownCommands } from '../own-sequences.js';
import type { PrettyOptions } from './pretty-report.js';

const machine = () => import('../compare/machine-reports.js');

/** Each reporter is loaded on demand. */
const RENDERERS = {
  pretty: async (report, options) => (await import('./pretty-report.js')).prettyReport(report, options),
  json: async (report) => (await import('./json-report.js')).jsonReport(report),
  junit: async (report) => (await machine()).junitReport(report),
  sarif: async (report) => (await machine()).sarifReport(report),
  md: async (report) => (await import('./markdown-report.js')).markdownReport(report),
  html: async (report) => (await import('./html-report.js')).htmlReport(report),
  github: async (report) => ownCommands((await machine()).githubReport(report)),
} satisfies Record<string, (report: CompareReport, options: PrettyOptions) => Promise<string>>;

type ReporterName = keyof typeof RENDERERS;
export const REPORTER_NAMES = Object.keys(RENDERERS) as readonly ReporterName[];

export function renderReport(
  name: ReporterName,
  report: CompareReport,
  options: PrettyOptions,
): Promise<string> {
  return RENDERERS[name](report, options);
}
