/** `sonde proxy resume`: prints a stored response from its start or an offset to its end. */
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { copyResponse, parseSignedUrl } from '../proxy-client.js';
import { addSettingOptions } from '../setting-options.js';

export function addProxyResume(parent: Command, context: CliContext): void {
  const command = parent
    .command('resume')
    .description('print a stored response, and follow it until it ends')
    .argument('<SIGNED_URL>', 'signed URL printed by sonde proxy send')
    .option('--offset <OFFSET>', 'offset to start from; -1 is the beginning, now is the end', '-1');
  addSettingOptions(command, ['net.ca']).action(
    async (url: string, { offset }: { offset: string }, self: Command) => {
      const { settings } = await loadSettings(context, self);
      await copyResponse(context, parseSignedUrl(settings, url), offset);
    },
  );
}
