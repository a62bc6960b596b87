/** `sonde compare`: two environments, without a server or a database. Decides nothing; the exit code is the verdict. */
import { type Command, Option } from 'commander';
import { type CliContext, printText } from '../cli-context.js';
import type { CompareReport } from '../compare/compare-report.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { collect } from '../header-options.js';
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
  readonly failOn: 'warn' | 'critical';
  readonly reporter?: string[];
  readonly concurrency: string;
  readonly perHost: string;
  readonly all?: boolean;
}

async function compare(context: CliContext, self: Command, urls: readonly string[]): Promise<void> {
  const { readReporters } = await import('../reporters/write-reports.js');
  const options = self.opts<CompareCommandOptions>();
  // A mistyped reporter is refused before anything is sent.
  const reporters = readReporters(options.reporter ?? [context.json ? 'json' : 'pretty']);
  const { compareFromCommand } = await import('../compare/compare-from-command.js');
  const report = await compareFromCommand(context, self, { urls, options });
  const { renderReport } = await import('../reporters/write-reports.js');
  const { paint, files, terminal } = context;
  for (const { name, file } of reporters) {
    const pretty = { paint: file === undefined ? paint : plain, columns: terminal.stdout.columns };
    const text = await renderReport(name, report, { ...pretty, ...(options.all && { all: true }) });
    if (file !== undefined) await files.writeText(file, text);
    else if (text !== '') await printText(context, text.trimEnd());
  }
  context.exitCode = exitCodeFor(report);
}

const plain = (_meaning: string, text: string): string => text;

function exitCodeFor({ verdict, failOn }: CompareReport): ExitCode {
  if (verdict === 'fail' || (verdict === 'warn' && failOn === 'warn')) return EXIT_CODES.findings.code;
  return verdict === 'inconclusive' ? EXIT_CODES.target.code : EXIT_CODES.fine.code;
}

export function addCompare(parent: Command, context: CliContext): void {
  const command = parent
    .command('compare')
    .description('compare two environments: redirects, headers, cookies, bodies, TLS, timing')
    .argument('[STAGING]', 'the left URL: what is about to ship')
    .argument('[PROD]', 'the right URL: what must not get worse')
    .option('--paths <FILE>', 'compare these paths, one a line')
    .option('--sitemap <PATH|URL>', 'compare the paths of both sitemaps')
    .option('--openapi <FILE>', 'compare the GET operations of this document (JSON or YAML)')
    .option('--har <FILE...>', 'compare two recordings instead of probing: left.har right.har')
    .option('--from <FILE...>', 'compare saved envelopes instead of probing: left.json right.json')
    .option('--samples <COUNT>', 'samples a side; timing needs 5 to count', '3')
    .addOption(
      new Option('--profile <NAME>', 'how closely to look').choices(['core', 'full']).default('full'),
    )
    .option('--header-left <NAME: VALUE>', 'send this header to the left side only', collect)
    .option('--header-right <NAME: VALUE>', 'send this header to the right side only', collect)
    .option('--label-left <TEXT>', 'what to call the left side')
    .option('--label-right <TEXT>', 'what to call the right side')
    .option(
      '--ignore <CODE[:KEY][@PATH]>',
      'a difference that does not matter; * stands for anything',
      collect,
    )
    .option('--baseline <FILE>', 'accepted findings; those that expired count again')
    .option('--write-baseline <FILE>', 'write what counts now as a baseline that expires in 90 days')
    .addOption(
      new Option('--fail-on <SEVERITY>', 'exit 1 from this severity on')
        .choices(['warn', 'critical'])
        .default('critical'),
    )
    .option('-r, --reporter <NAME[=FILE],…>', 'pretty, json, junit, sarif, md, html, github', collect)
    .option('--concurrency <COUNT>', 'paths at a time', '4')
    .option('--per-host <COUNT>', 'probes at a time of one host', '4')
    .option('--all', 'show findings that do not count as well')
    .addHelpText(
      'after',
      `
Examples:
  sonde compare https://staging.example.com https://example.com
  sonde compare https://staging.example.com https://example.com --paths paths.txt -r pretty,html=report.html
  sonde compare http://localhost:3000 https://example.com --allow-private http://localhost:3000

Exit codes: 0 when nothing at or above --fail-on was found, 1 when something was, 3 when it is inconclusive.`,
    )
    .action(async (...given: readonly unknown[]) => {
      // Commander hands over the arguments, the options and, last, the command itself.
      const self = given.at(-1) as Command;
      await compare(context, self, self.args);
    });
  addSettingOptions(command, [
    'net.allowPrivate',
    'net.connectTo',
    'net.dnsServers',
    'net.ca',
    'net.userAgent',
    'compare.probeMs',
    'compare.redirectsMax',
    'explain.baseUrl',
    'explain.model',
    'explain.key',
  ]);
}
