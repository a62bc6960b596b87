/** `sonde stream rm`: deletes a stream. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addStreamCommand, streamPath } from '../stream-client.js';

export function addStreamRm(parent: Command, context: CliContext): void {
  addStreamCommand(parent, 'rm', 'delete a stream').action(
    async (name: string, _options: unknown, self: Command) => {
      const { settings } = await loadSettings(context, self);
      await context.runtime.callServer(settings, {
        method: 'DELETE',
        path: streamPath(name),
        scope: 'stream:write',
      });
      await printResult(context, { name, deleted: true }, `deleted  ${name}`);
    },
  );
}
