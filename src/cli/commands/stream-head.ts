/** `sonde stream head`: shows the metadata of a stream. */
import type { Command } from 'commander';
import { oneLine } from '../../printable.js';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addStreamCommand, streamPath } from '../stream-client.js';

const FIELDS = [
  ['contentType', 'content-type'],
  ['bytes', 'stream-total-size'],
  ['writeUnits', 'stream-write-units'],
  ['nextOffset', 'stream-next-offset'],
  ['closed', 'stream-closed'],
  ['ttl', 'stream-ttl'],
  ['expiresAt', 'stream-expires-at'],
] as const;

export function addStreamHead(parent: Command, context: CliContext): void {
  addStreamCommand(parent, 'head', 'show the metadata of a stream').action(
    async (name: string, _options: unknown, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const response = await context.runtime.callServer(settings, {
        method: 'HEAD',
        path: streamPath(name),
        scope: 'stream:read',
      });
      const found = FIELDS.flatMap(([field, header]) => {
        const value = response.header(header);
        return value === undefined ? [] : [[field, value] as const];
      });
      await printResult(
        context,
        { name, ...Object.fromEntries(found) },
        found.map(([field, value]) => oneLine(`${field.padEnd(12)} ${value}`)).join('\n'),
      );
    },
  );
}
