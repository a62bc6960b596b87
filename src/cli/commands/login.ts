/** `sonde login`: prints a new one-time login link for the server of a data folder. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';

export function addLogin(parent: Command, context: CliContext): void {
  const command = parent
    .command('login')
    .description('print a link that logs a browser in once, within ten minutes')
    .action(async (_options: unknown, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const loginUrl = await context.runtime.loginLink(settings);
      await printResult(context, { loginUrl }, loginUrl);
    });
  addSettingOptions(command, [
    'server.data',
    'server.host',
    'server.port',
    'server.publicUrl',
    'server.auth',
  ]);
}
