/** `sonde backup FOLDER`: copies a data folder, even while its server runs. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';

export function addBackup(parent: Command, context: CliContext): void {
  const command = parent
    .command('backup <FOLDER>')
    .description(
      'copy the data folder to a new folder, even while its server runs; to restore it, start a server there',
    )
    .action(async (folder: string, _options: unknown, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const done = await context.runtime.backup(settings, folder);
      if (context.json) return printJson(context, { ...done });
      const lines = [
        `${context.paint('pass', 'copied')}  ${settings.server.data} to ${done.folder}: streams with ${done.segments} segments`,
        `appends waited ${done.pausedMs} ms`,
        done.records
          ? 'jobs, audits and comparisons are included'
          : 'jobs, audits and comparisons are in PostgreSQL: back it up with pg_dump',
      ];
      return printText(context, lines.join('\n'));
    });
  addSettingOptions(command, ['server.data']);
}
