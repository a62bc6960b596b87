/** `sonde audit URL`: audits a site in this process and reports, with an exit code that a pipeline can use. */
import type { Command } from 'commander';
import type { AuditOptions, AuditReport } from '../../audits/index.js';
import { SondeError } from '../../errors.js';
import { readFailOn } from '../audit/fail-on.js';
import { prettyReport } from '../audit/pretty-report.js';
import { ProgressLine } from '../audit/progress-line.js';
import { type Reporter, readReporters, renderReport } from '../audit/reporters.js';
import { type CliContext, printJson, printNote, printText } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';

interface Flags {
  readonly pages?: string;
  readonly depth?: string;
  readonly concurrency?: string;
  readonly delay?: string;
  readonly checks?: string;
  readonly ownSite?: boolean;
  readonly reporter: string;
  readonly failOn: string;
}

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
    ownSite: flags.ownSite,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What the API would call a bad request is wrong usage here. */
async function refuseOutOfRange(options: Partial<AuditOptions>): Promise<void> {
  const { completeOptions } = await import('../../audits/index.js');
  try {
    completeOptions(options);
  } catch (thrown) {
    throw thrown instanceof SondeError ? new SondeError('USAGE', thrown.message, { cause: thrown }) : thrown;
  }
}

async function audit(context: CliContext, url: string, command: Command): Promise<void> {
  const flags = command.opts<Flags>();
  const reporters = readReporters(flags.reporter);
  const failOn = readFailOn(flags.failOn);
  const options = readOptions(flags);
  await refuseOutOfRange(options);
  const { settings } = await loadSettings(context, command);
  // Before an hour of crawling, not after.
  for (const { file } of reporters) if (file !== undefined) await context.files.checkWritable(file);
  const report = await run(context, { settings, url, options });
  for (const reporter of reporters) await write(context, report, reporter);
  context.exitCode = failOn(report) ? EXIT_CODES.findings.code : EXIT_CODES.fine.code;
}

type Asked = {
  settings: Parameters<CliContext['runtime']['auditSite']>[0];
  url: string;
  options: Partial<AuditOptions>;
};

async function run(context: CliContext, { settings, url, options }: Asked): Promise<AuditReport> {
  const stop = new AbortController();
  void context.runtime
    .claimStopSignal()
    .then((signal) => stop.abort(new SondeError('canceled', `stopped by ${signal}`)));
  const line = context.json ? undefined : new ProgressLine(context.terminal.stderr);
  try {
    return await context.runtime.auditSite(settings, {
      url,
      options,
      signal: stop.signal,
      progress: ({ percent, message }) => line?.show(percent, message),
    });
  } finally {
    await line?.end();
  }
}

async function write(context: CliContext, report: AuditReport, { name, file }: Reporter): Promise<void> {
  if (file !== undefined) {
    const text =
      name === 'pretty'
        ? `${await prettyReport(report, plain, report.startUrl)}\n`
        : await renderReport(name, report);
    await context.files.writeText(file, text);
    await printNote(context, `wrote ${file}`);
  } else if (context.json) await printJson(context, { ...report });
  else if (name === 'pretty')
    await printText(context, await prettyReport(report, context.paint, report.startUrl));
  else await context.terminal.stdout.write(await renderReport(name, report));
}

const plain = (_meaning: unknown, text: string): string => text;

export function addAudit(parent: Command, context: CliContext): void {
  const command = parent
    .command('audit')
    .description('audit a site: crawl it politely, judge it by 71 rules, score it')
    .argument('<URL>', 'where to start')
    .option('--pages <N>', 'fetch at most this many pages (default: 100)')
    .option('--depth <N>', 'follow links at most this many clicks from the start (default: 10)')
    .option('--concurrency <N>', 'requests to one host at once (default: 4)')
    .option(
      '--delay <MS>',
      'between two requests to one host; a Crawl-delay may make it longer (default: 100)',
    )
    .option('--checks <N>', 'assets and links that are only asked for with HEAD (default: 500)')
    .option('--own-site', 'the site is mine: also look for leaked files, and ask as search bots')
    .option('-r, --reporter <NAME[=FILE],…>', 'pretty, json, html, md, csv; to stdout or to a file', 'pretty')
    .option('--fail-on <WHAT>', 'exit with 1 for: error, warn, info, score:N (below N), never', 'error')
    .action((url: string, _flags: Flags, self: Command) => audit(context, url, self));
  addSettingOptions(command, [
    'net.allowPrivate',
    'net.connectTo',
    'net.dnsServers',
    'net.ca',
    'net.userAgent',
    'audit.fetchMs',
    'audit.bodyBytesMax',
    'audit.redirectsMax',
  ]);
}
