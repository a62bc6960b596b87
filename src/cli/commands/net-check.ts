/** `sonde net check`: shows what the egress layer would do with a URL or with a file of cases. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
import type { CaseVerdict, UrlExplanation } from '../../net/index.js';
import { oneLine } from '../../printable.js';
import { type CliContext, printNote, printResult } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';

const CASES_BYTES_MAX = 64 * 1024 * 1024;

const VERDICTS = {
  allowed: { meaning: 'pass', exit: EXIT_CODES.success },
  refused: { meaning: 'critical', exit: EXIT_CODES.findings },
  unresolved: { meaning: 'warn', exit: EXIT_CODES.target },
} as const;

interface CheckOptions {
  readonly resolve?: string;
  readonly cases?: string;
}

async function checkUrl(context: CliContext, self: Command, url: string): Promise<void> {
  const { settings } = await loadSettings(context, self);
  const { resolve } = self.opts<CheckOptions>();
  const addresses = resolve === undefined ? undefined : readAddresses(resolve);
  const explained = await context.runtime.checkUrl(settings, url, addresses);
  if (explained.code === 'invalid_url') {
    throw new SondeError('invalid_url', `${explained.message} (${explained.rule})`);
  }
  context.exitCode = VERDICTS[explained.verdict].exit.code;
  await printResult(context, { ...explained }, describe(context, explained));
}

function readAddresses(text: string): string[] {
  const addresses = text.split(',').map((each) => each.trim());
  if (addresses.includes('')) throw new SondeError('USAGE', '--resolve takes addresses, separated by commas');
  return addresses;
}

function describe(context: CliContext, explained: UrlExplanation): string {
  const { verdict, step, rule, message, addresses } = explained;
  const lines = [
    `${context.paint(VERDICTS[verdict].meaning, verdict)}  ${explained.url}`,
    `  step     ${step}`,
    ...(rule === undefined ? [] : [`  rule     ${rule}`]),
    `  reason   ${message}`,
    ...(addresses.length === 0 ? [] : [`  address  ${addresses.join(', ')}`]),
  ];
  return lines.map(oneLine).join('\n');
}

async function runCases(context: CliContext, path: string): Promise<void> {
  const text = await context.files.readText(path, { bytesMax: CASES_BYTES_MAX });
  const { readEgressCase } = await import('../../net/index.js');
  const lines = text.split('\n');
  // The whole file is parsed before the first case runs, so that a typo is reported at once.
  const cases = lines.flatMap((line, index) => (line.trim() === '' ? [] : [readEgressCase(line, index + 1)]));
  if (cases.length === 0) throw new SondeError('FILE_UNREADABLE', `${path} contains no cases`);
  let differing = 0;
  for (const each of cases) {
    const verdict = await context.runtime.runEgressCase(each);
    if (!verdict.pass) differing += 1;
    await context.terminal.stdout.write(`${JSON.stringify(resultLine(context, verdict))}\n`);
    for (const fault of verdict.faults) await printNote(context, `${verdict.id}: ${fault}`);
  }
  await printNote(context, `${cases.length - differing} of ${cases.length} cases pass`);
  if (differing > 0) context.exitCode = EXIT_CODES.findings.code;
}

function resultLine(context: CliContext, { id, expect, got, pass, code }: CaseVerdict): object {
  return { ...(context.json && { schemaVersion: 1 }), id, expect, got, pass, code };
}

export function addNetCheck(parent: Command, context: CliContext): void {
  const command = parent
    .command('check')
    .description('check whether the egress policy allows a URL, and show the step and rule that decide')
    .argument('[URL]', 'URL to check; nothing is sent to it')
    .option('--resolve <ADDRESS,…>', 'check these addresses instead of resolving the name')
    .option(
      '--cases <FILE.jsonl>',
      'run the cases in this file against a scripted network, and print one result per line',
    )
    .addHelpText(
      'after',
      `
Cases:
  Each result is {"id","expect","got","pass","code"}: got is allow, block, or error if a request failed
  without being refused. Exit code 1 if any case differs.`,
    )
    .action(async (url: string | undefined, options: CheckOptions, self: Command) => {
      if ((url === undefined) === (options.cases === undefined)) {
        throw new SondeError('USAGE', 'give either a URL or --cases FILE.jsonl');
      }
      if (options.cases !== undefined) await runCases(context, options.cases);
      else await checkUrl(context, self, url ?? '');
    });
  addSettingOptions(command, ['net.allowPrivate', 'net.connectTo', 'net.dnsServers']);
}
