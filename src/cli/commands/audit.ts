/** `sonde audit URL`: audits a site in this process and reports the result, with an exit code for pipelines. */
import type { Command } from 'commander';
import type { AcceptedFinding, AuditOptions, AuditReport } from '../../audits/index.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { asUsage } from '../as-usage.js';
import { readBaseline, writeBaseline } from '../audit/baseline-file.js';
import { type FailOn, readFailOn } from '../audit/fail-on.js';
import { REPORTER_NAMES, renderReport } from '../audit/reporters.js';
import { type RuleSelection, selectRules } from '../audit/select-rules.js';
import { type CliContext, printJson, printNote } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { collect } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import { plainPaint } from '../paint.js';
import type { AuditRequest } from '../ports.js';
import { withProgressLine } from '../progress-line.js';
import { type ReporterChoice, readReporters } from '../reporters/reporter-choice.js';
import { runsOnServer } from '../server-job.js';
import { CLIENT_SETTINGS } from '../server-json.js';
import { addSettingOptions } from '../setting-options.js';
import { abortOnSignal } from '../start-or-stop.js';

interface Flags {
  readonly pages?: string;
  readonly depth?: string;
  readonly concurrency?: string;
  readonly delay?: string;
  readonly checks?: string;
  readonly links?: string;
  readonly ownSite?: boolean;
  readonly rules?: string[];
  readonly ignore?: string[];
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly reporter: string;
  readonly failOn: string;
}

const DAY_MS = 86_400_000;

function readOptions(flags: Flags): Partial<AuditOptions> {
  const number = (name: string, value: string | undefined) => {
    if (value === undefined) return undefined;
    if (/^\d{1,9}$/.test(value)) return Number(value);
    throw new SondeError('USAGE', `--${name} takes a whole number, not ${JSON.stringify(value)}`);
  };
  const given = {
    pages: number('pages', flags.pages),
    depth: number('depth', flags.depth),
    concurrency: number('concurrency', flags.concurrency),
    delayMs: number('delay', flags.delay),
    checks: number('checks', flags.checks),
    links: flags.links,
    ownSite: flags.ownSite,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function audit(context: CliContext, url: string, command: Command): Promise<void> {
  const flags = command.opts<Flags>();
  const reporters = readReporters(REPORTER_NAMES, [flags.reporter]);
  const failOn = readFailOn(flags.failOn);
  const options = readOptions(flags);
  const { completeOptions, RULES } = await import('../../audits/index.js');
  asUsage(() => completeOptions(options));
  const selection = selectRules(RULES, flags);
  const { settings } = await loadSettings(context, command);
  // Checked before a crawl that may take an hour.
  const files = [...reporters.map(({ file }) => file), flags.writeBaseline];
  for (const file of files) if (file !== undefined) await context.files.checkWritable(file);
  const accepted = await readAccepted(context, flags.baseline);
  const { rules } = selection;
  const fullReport = await run(context, { settings, url, options, rules, onServer: runsOnServer(command) });
  const report = await withoutHidden(fullReport, selection, accepted);
  for (const reporter of reporters) await write(context, report, { reporter, failOn });
  const failed = failOn.report(report) ? EXIT_CODES.findings.code : EXIT_CODES.success.code;
  const judged = report.score === null ? EXIT_CODES.target.code : failed;
  context.exitCode = report.stopped === undefined ? judged : EXIT_CODES.interrupted.code;
  if (flags.writeBaseline === undefined || report.stopped !== undefined || report.score === null) return;
  await accept(context, fullReport, flags.writeBaseline);
  context.exitCode = EXIT_CODES.success.code;
}

async function readAccepted(context: CliContext, name: string | undefined) {
  if (name === undefined) return undefined;
  const { expires, findings } = await readBaseline(context.files, name);
  const isExpired = Date.parse(expires) + DAY_MS <= Date.now();
  if (isExpired)
    await printNote(
      context,
      `${name} expired on ${expires} and is ignored; recreate it with --write-baseline`,
    );
  return isExpired ? [] : findings;
}

async function withoutHidden(
  report: AuditReport,
  selection: RuleSelection,
  accepted: readonly AcceptedFinding[] | undefined,
): Promise<AuditReport> {
  const { hideFindings } = await import('../../audits/index.js');
  const hidden = hideFindings(report, { ...selection, accepted: accepted ?? [] });
  const hidesNothing = hidden.hidden?.ignored === 0 && accepted === undefined;
  return hidesNothing ? report : hidden;
}

async function accept(context: CliContext, report: AuditReport, name: string): Promise<void> {
  const { acceptedFindings, plural } = await import('../../audits/index.js');
  const findings = acceptedFindings(report);
  const { expires } = await writeBaseline(context.files, name, { measuredAt: report.measuredAt, findings });
  await printNote(context, `wrote ${name}: ${plural(findings.length, 'finding')} accepted until ${expires}`);
}

interface AuditCall extends Pick<AuditRequest, 'url' | 'options'> {
  readonly settings: Settings;
  readonly rules: RuleSelection['rules'];
  readonly onServer: boolean;
}

function run(context: CliContext, call: AuditCall): Promise<AuditReport> {
  const { settings, url, options, rules, onServer } = call;
  return withProgressLine(context, async (progress) => {
    if (onServer) {
      const { auditOnServer } = await import('../audit/audit-on-server.js');
      return auditOnServer(context, settings, { url, options, progress });
    }
    const signal = abortOnSignal(context.runtime);
    return context.runtime.auditSite(settings, { url, options, rules, signal, progress });
  });
}

async function write(
  context: CliContext,
  report: AuditReport,
  {
    reporter: { name, file },
    failOn,
  }: { readonly reporter: ReporterChoice<(typeof REPORTER_NAMES)[number]>; readonly failOn: FailOn },
): Promise<void> {
  if (file !== undefined) {
    await context.files.writeText(file, await renderReport(name, report, { paint: plainPaint, failOn }));
    await printNote(context, `wrote ${file}`);
  } else if (context.json) await printJson(context, { ...report });
  else
    await context.terminal.stdout.write(await renderReport(name, report, { paint: context.paint, failOn }));
}

export function addAudit(parent: Command, context: CliContext): void {
  const command = parent
    .command('audit')
    .description('audit a site: crawl it politely, check it against about 100 rules, score it')
    .argument('<URL>', 'URL where the crawl starts')
    .option('--pages <N>', 'fetch at most this many pages (default: 100)')
    .option('--depth <N>', 'follow links at most this many clicks from the start (default: 10)')
    .option('--concurrency <N>', 'concurrent requests per host (default: 4)')
    .option(
      '--delay <MS>',
      'minimum time between requests to one host; a Crawl-delay can raise it (default: 100)',
    )
    .option('--checks <N>', 'check at most this many assets and links with HEAD requests (default: 500)')
    .option('--links <WHICH>', 'which links and assets to check: internal or all (default: all)')
    .option(
      '--own-site',
      'I own this site: also check for exposed private files, and request pages with the user agents of search bots',
    )
    .option('--rules <RULE,…>', 'run only these rules; * matches any characters, as in link.*', collect)
    .option('--ignore <RULE[@PATH],…>', 'skip a rule, or hide its findings on a path', collect)
    .option('--baseline <FILE>', 'hide the findings accepted in this file, by rule, path and value')
    .option('--write-baseline <FILE>', 'accept all current findings for 90 days and exit with 0')
    .option(
      '-r, --reporter <NAME[=FILE],…>',
      `${REPORTER_NAMES.join(', ')}; to stdout or to a file`,
      'pretty',
    )
    .option(
      '--fail-on <WHAT>',
      'exit with 1 on error, warn, info, score:N (a score below N) or never',
      'error',
    )
    .addHelpText(
      'after',
      `
With --server, the audit runs as a durable job on that server and its report is printed here.

The exit code is 3 if nothing of the site could be read, because robots.txt or a login closes it.`,
    )
    .action((url: string, _flags: Flags, self: Command) => audit(context, url, self));
  addSettingOptions(command, ['net', 'audit', ...CLIENT_SETTINGS]);
}
