/** `sonde exit-codes` (and `sonde help exit-codes`): explains the exit codes. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { EXIT_CODES, exitCodeLines } from '../exit-codes.js';

export function addExitCodes(parent: Command, context: CliContext): void {
  parent
    .command('exit-codes')
    .description('explain the exit codes')
    .addHelpText('after', `\nExit codes:\n${exitCodeLines().join('\n')}`)
    .action(async () => {
      await printResult(context, { exitCodes: Object.values(EXIT_CODES) }, exitCodeLines().join('\n'));
    });
}
