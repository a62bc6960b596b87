/** `sonde proxy abort`: aborts the upstream request of a stored response; the data received so far stays readable. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { parseSignedUrl, withRetries } from '../proxy-client.js';
import { addSettingOptions } from '../setting-options.js';

export function addProxyAbort(parent: Command, context: CliContext): void {
  const command = parent
    .command('abort')
    .description('abort the upstream request; data received so far stays readable')
    .argument('<SIGNED_URL>', 'signed URL printed by sonde proxy send');
  addSettingOptions(command, ['net.ca']).action(async (url: string, _options: unknown, self: Command) => {
    const { settings } = await loadSettings(context, self);
    const response = parseSignedUrl(settings, url);
    const call = { method: 'PATCH', path: `${response.path}&action=abort` };
    await withRetries(() => context.runtime.callServer(response.settings, call));
    await printResult(context, { aborted: true }, 'aborted');
  });
}
