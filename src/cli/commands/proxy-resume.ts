/** `sonde proxy resume`: prints a kept answer, from its start or an offset, to its end. */
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { copyResponse, signedResponse } from '../proxy-client.js';
import { addSettingOptions } from '../setting-options.js';

export function addProxyResume(parent: Command, context: CliContext): void {
  const command = parent
    .command('resume')
    .description('print an answer that the server keeps, and what still comes of it')
    .argument('<SIGNED_URL>', 'as sonde proxy send printed it')
    .option('--offset <OFFSET>', 'where to begin; -1 is the start, now the tail', '-1');
  addSettingOptions(command, ['net.ca']).action(
    async (url: string, { offset }: { offset: string }, self: Command) => {
      const { settings } = await loadSettings(context, self);
      await copyResponse(context, signedResponse(settings, url), offset);
    },
  );
}
