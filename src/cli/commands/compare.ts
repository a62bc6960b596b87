/** `sonde compare CANDIDATE REFERENCE`: compares without a server or a database. The exit code reflects the verdict. */
import { type Command, Option } from 'commander';
import { type CliContext, printText } from '../cli-context.js';
import { collect } from '../header-options.js';
import { plainPaint } from '../paint.js';
import { readReporters } from '../reporters/reporter-choice.js';
import { CLIENT_SETTINGS } from '../server-json.js';
import { addSettingOptions } from '../setting-options.js';

export interface CompareCommandOptions {
  readonly paths?: string;
  readonly sitemap?: string;
  readonly openapi?: string;
  readonly har?: string[];
  readonly from?: string[];
  readonly samples: string;
  readonly profile: 'core' | 'full';
  readonly headerLeft?: string[];
  readonly headerRight?: string[];
  readonly labelLeft?: string;
  readonly labelRight?: string;
  readonly ignore?: string[];
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly baselineBy: 'path' | 'route';
  readonly candidate: 'left' | 'right';
  readonly failOn: 'warn' | 'critical';
  readonly reporter?: string[];
  readonly concurrency: string;
  readonly perHost: string;
  readonly all?: boolean;
}

async function compare(context: CliContext, self: Command, urls: readonly string[]): Promise<void> {
  const { REPORTER_NAMES, renderReport } = await import('../reporters/write-reports.js');
  const options = self.opts<CompareCommandOptions>();
  // Refuses a mistyped reporter before anything is sent.
  const reporters = readReporters(REPORTER_NAMES, options.reporter ?? [context.json ? 'json' : 'pretty']);
  const { compareFromCommand } = await import('../compare/compare-from-command.js');
  const report = await compareFromCommand(context, self, { urls, options });
  const { exitCodeFor } = await import('../compare/exit-code.js');
  const { paint, files, terminal } = context;
  for (const { name, file } of reporters) {
    const pretty = { paint: file === undefined ? paint : plainPaint, columns: terminal.stdout.columns };
    const text = await renderReport(name, report, { ...pretty, ...(options.all && { all: true }) });
    if (file !== undefined) await files.writeText(file, text);
    else if (text !== '') await printText(context, text.trimEnd());
  }
  context.exitCode = exitCodeFor(report, options.writeBaseline !== undefined);
}

export function addCompare(parent: Command, context: CliContext): void {
  const command = parent
    .command('compare')
    .description('compare two environments: redirects, headers, cookies, bodies, TLS, timing')
    .argument('[CANDIDATE]', 'left URL: the candidate, which is about to ship')
    .argument('[REFERENCE]', 'right URL: the reference to compare it with')
    .addOption(
      new Option('--candidate <SIDE>', 'which side is the candidate')
        .choices(['left', 'right'])
        .default('left'),
    )
    .option('--paths <FILE>', 'compare these paths, one per line')
    .option('--sitemap <PATH|URL>', 'compare the paths of both sitemaps')
    .option('--openapi <FILE>', 'compare the GET operations of this document (JSON or YAML)')
    .option('--har <FILE...>', 'compare two recordings instead of probing: left.har right.har')
    .option('--from <FILE...>', 'compare saved envelopes instead of probing: left.json right.json')
    .option('--samples <COUNT>', 'samples per side; timing findings need at least 5', '3')
    .addOption(
      new Option('--profile <NAME>', 'how much to compare').choices(['core', 'full']).default('full'),
    )
    .option('--header-left <NAME: VALUE>', 'send this header to the left side only', collect)
    .option('--header-right <NAME: VALUE>', 'send this header to the right side only', collect)
    .option('--label-left <TEXT>', 'name of the left side in reports')
    .option('--label-right <TEXT>', 'name of the right side in reports')
    .option(
      '--ignore <CODE[:KEY][@PATH]>',
      'ignore this finding; * matches any characters, as in CACHE_*',
      collect,
    )
    .option('--baseline <FILE>', 'file of accepted findings; expired entries count again')
    .option('--write-baseline <FILE>', 'accept all current findings for 90 days and exit with 0')
    .addOption(
      new Option(
        '--baseline-by <WHAT>',
        'accept exact paths and values, or kinds of findings on whole routes',
      )
        .choices(['path', 'route'])
        .default('path'),
    )
    .addOption(
      new Option('--fail-on <SEVERITY>', 'exit with 1 for findings of this severity or higher')
        .choices(['warn', 'critical'])
        .default('critical'),
    )
    .option('-r, --reporter <NAME[=FILE],…>', 'pretty, json, junit, sarif, md, html, github', collect)
    .option('--concurrency <COUNT>', 'paths compared at once', '4')
    .option('--per-host <COUNT>', 'concurrent probes per host', '4')
    .option('--all', 'show every finding with its values, including those that do not count')
    .addHelpText(
      'after',
      `
Examples:
  sonde compare https://staging.example.com https://example.com
  sonde compare https://staging.example.com https://example.com --paths paths.txt -r pretty,html=report.html
  sonde compare http://localhost:3000 https://example.com --allow-private http://localhost:3000

With --server, the comparison runs as a durable job on that server and its report is printed here.

Regressions on the candidate count at full severity; improvements are info and never fail the run.

Exit codes: 0 if nothing at or above --fail-on was found, 1 if something was, 3 if a side cannot be reached or
the result is inconclusive, 130 if the run was interrupted.`,
    )
    .action(async (...given: readonly unknown[]) => {
      // Commander passes the arguments, the options and, last, the command itself.
      const self = given.at(-1) as Command;
      await compare(context, self, self.args);
    });
  addSettingOptions(command, [
    'net',
    'compare.probeMs',
    'compare.redirectsMax',
    'compare.confirmSamples',
    'explain',
    ...CLIENT_SETTINGS,
  ]);
}
