/** The reports of an audit by name. */
import type { AuditReport } from '../../audits/index.js';
import { ownCommands } from '../own-sequences.js';
import type { Paint } from '../paint.js';
import type { FailOn } from './fail-on.js';

const audits = () => import('../../audits/index.js');
const machine = () => import('./machine-reports.js');

/** Each renderer is loaded on demand. */
const RENDERERS = {
  pretty: async (report, { paint }) =>
    `${await (await import('./pretty-report.js')).prettyReport(report, paint, report.startUrl)}\n`,
  json: async (report) => `${JSON.stringify(report, null, 2)}\n`,
  html: async (report) => (await audits()).renderHtml(report),
  md: async (report) => (await audits()).renderMarkdown(report),
  csv: async (report) => (await audits()).renderCsv(report),
  junit: async (report, { failOn }) => (await machine()).junitReport(report, failOn),
  sarif: async (report) => (await machine()).sarifReport(report),
  github: async (report) => ownCommands((await machine()).githubReport(report)),
} satisfies Record<string, (report: AuditReport, options: RenderOptions) => Promise<string>>;

interface RenderOptions {
  readonly paint: Paint;
  readonly failOn: FailOn;
}

type ReporterName = keyof typeof RENDERERS;
export const REPORTER_NAMES = Object.keys(RENDERERS) as readonly ReporterName[];

export function renderReport(
  name: ReporterName,
  report: AuditReport,
  options: RenderOptions,
): Promise<string> {
  return RENDERERS[name](report, options);
}
