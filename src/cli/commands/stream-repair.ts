/** `sonde stream repair`: clears outdated damage marks and, on request, gives up data that cannot be read. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import type { RepairedStream } from '../ports.js';
import { addSettingOptions } from '../setting-options.js';

interface Options {
  readonly giveUpMissing?: boolean;
  readonly cutDamaged?: boolean;
}

export function addStreamRepair(parent: Command, context: CliContext): void {
  const command = parent
    .command('repair')
    .description(
      'verify every stream in a data folder that no server is using, and clear marks that no longer apply',
    )
    .option('--give-up-missing', 'let reads pass over segments that are missing; their bytes are lost')
    .option('--cut-damaged', 'end damaged streams before their first damaged record; what follows is lost')
    .action(async ({ giveUpMissing = false, cutDamaged = false }: Options, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const streams: RepairedStream[] = [];
      const request = { giveUpMissing, cutDamaged };
      for await (const stream of context.runtime.repairStreams(settings, request)) streams.push(stream);
      const lostBytes = streams.reduce((sum, stream) => sum + stream.lostBytes, 0);
      const left = streams.filter((stream) => stream.left !== undefined).length;
      if (left > 0) context.exitCode = EXIT_CODES.findings.code;
      if (context.json) return printJson(context, { lostBytes, left, streams });
      const verdict =
        left === 0 ? context.paint('pass', 'intact') : context.paint('critical', `${left} left`);
      return printText(
        context,
        [`${verdict}  ${lostBytes} bytes given up`, ...streams.map(describe)].join('\n'),
      );
    });
  addSettingOptions(command, ['server.data']);
}

function describe({ id, done, lostBytes, from, left }: RepairedStream): string {
  if (done === 'mark_cleared') return `  ${id}  intact; its mark was cleared`;
  if (done === 'segment_given_up') return `  ${id}  segment from ${from} given up: ${lostBytes} bytes lost`;
  if (done === 'tail_cut_off') return `  ${id}  cut off at ${from}: ${lostBytes} bytes lost`;
  return left === 'missing'
    ? `  ${id}  segments are missing: restore them, or use --give-up-missing`
    : `  ${id}  damaged: restore it from a backup, or use --cut-damaged`;
}
