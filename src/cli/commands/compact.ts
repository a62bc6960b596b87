/** `sonde compact`: rewrites the database files of a data folder without unused space. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';

export function addCompact(parent: Command, context: CliContext): void {
  const command = parent
    .command('compact')
    .description(
      'rewrite the database files of a data folder without unused space; no server may be using the folder',
    )
    .action(async (_options: unknown, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const files = await context.runtime.compact(settings);
      if (context.json) return printJson(context, { files });
      const lines = files.map(
        ({ file, bytesBefore, bytesAfter }) => `compacted  ${file}: ${bytesBefore} to ${bytesAfter} bytes`,
      );
      return printText(context, lines.join('\n'));
    });
  addSettingOptions(command, ['server.data']);
}
