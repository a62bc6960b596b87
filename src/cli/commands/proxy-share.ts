/** `sonde proxy share`: prints a signed URL that can read a stored response and nothing else. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { parseSignedUrl, withRetries } from '../proxy-client.js';
import { addSettingOptions } from '../setting-options.js';

export function addProxyShare(parent: Command, context: CliContext): void {
  const command = parent
    .command('share')
    .description('print a signed URL that can read the response, but not abort it')
    .argument('<SIGNED_URL>', 'signed URL printed by sonde proxy send; the new one expires with it');
  addSettingOptions(command, ['net.ca']).action(async (url: string, _options: unknown, self: Command) => {
    const { settings } = await loadSettings(context, self);
    const response = parseSignedUrl(settings, url);
    const call = { method: 'POST', path: `${response.path}&action=share` };
    const reply = await withRetries(() => context.runtime.callServer(response.settings, call));
    const location = reply.header('location') ?? '';
    await printResult(context, { location }, location);
  });
}
