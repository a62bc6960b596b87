/** `sonde stream create`: creates a stream, or reports that it already exists. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addStreamCommand, streamPath } from '../stream-client.js';

interface CreateOptions {
  readonly contentType: string;
  readonly ttl?: string;
}

export function addStreamCreate(parent: Command, context: CliContext): void {
  addStreamCommand(parent, 'create', 'create a stream')
    .option('--content-type <TYPE>', 'content type of the stream', 'application/octet-stream')
    .option('--ttl <SECONDS>', 'how long the stream is kept after its last use (default: forever)')
    .action(async (name: string, options: CreateOptions, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const response = await context.runtime.callServer(settings, {
        method: 'PUT',
        path: streamPath(name),
        scope: 'stream:write',
        headers: {
          'content-type': options.contentType,
          ...(options.ttl !== undefined && { 'stream-ttl': options.ttl }),
        },
      });
      const created = response.status === 201;
      const offset = response.header('stream-next-offset');
      await printResult(
        context,
        { name, created, offset },
        `${created ? 'created' : 'exists'}  ${name}  ${offset}`,
      );
    });
}
