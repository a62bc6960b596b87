/** `sonde stream append`: appends all of stdin as one record. */
import type { Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { readStdin } from '../read-stdin.js';
import { addStreamCommand, streamPath } from '../stream-client.js';

interface AppendOptions {
  readonly contentType?: string;
  readonly close?: true;
}

export function addStreamAppend(parent: Command, context: CliContext): void {
  addStreamCommand(parent, 'append', 'append stdin to a stream, as one record')
    .option('--content-type <TYPE>', 'content type of the stream (default: looked up on the server)')
    .option('--close', 'close the stream after appending')
    .action(async (name: string, options: AppendOptions, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const body = await readStdin(context);
      const path = streamPath(name);
      const call = context.runtime.callServer;
      const contentType =
        options.contentType ??
        (await call(settings, { method: 'HEAD', path, scope: 'stream:read' })).header('content-type') ??
        'application/octet-stream';
      const response = await call(settings, {
        method: 'POST',
        path,
        scope: 'stream:write',
        headers: { 'content-type': contentType, ...(options.close && { 'stream-closed': 'true' }) },
        body,
      });
      const offset = response.header('stream-next-offset');
      await printResult(
        context,
        { name, bytes: body.length, offset, closed: options.close === true },
        `appended  ${body.length} bytes  ${offset}`,
      );
    });
}
