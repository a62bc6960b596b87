/** `sonde config show`: prints the effective value of every setting and where it comes from. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';
import type { FormattedSetting } from '../show-settings.js';

function table(context: CliContext, rows: readonly FormattedSetting[], withOrigin: boolean): string {
  const keyWidth = Math.max(...rows.map((row) => row.key.length));
  const textWidth = Math.max(...rows.map((row) => row.text.length));
  return rows
    .map(({ key, text, origin }) => {
      if (!withOrigin) return `${key.padEnd(keyWidth)}  ${text}`;
      const painted = context.paint(origin === 'default' ? 'muted' : 'accent', origin);
      return `${key.padEnd(keyWidth)}  ${text.padEnd(textWidth)}  ${painted}`;
    })
    .join('\n');
}

export function addConfigShow(parent: Command, context: CliContext): void {
  const command = parent
    .command('show')
    .description('print the effective value of every setting')
    .option('--origin', 'show where each value comes from')
    .action(async (options: { origin?: true }, self: Command) => {
      const resolved = await loadSettings(context, self);
      const { showSettings } = await import('../show-settings.js');
      const rows = showSettings(resolved);
      if (context.json) {
        const settings = rows.map(({ key, value, origin }) => [key, { value, origin }]);
        await printJson(context, { settings: Object.fromEntries(settings) });
      } else await printText(context, table(context, rows, options.origin === true));
    });
  addSettingOptions(command);
}
