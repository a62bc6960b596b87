/** `sonde stream read`: prints everything from an offset to the tail. */
import type { Command } from 'commander';
import { type CliContext, printNote } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { addStreamCommand, copyStream } from '../stream-client.js';

export function addStreamRead(parent: Command, context: CliContext): void {
  addStreamCommand(parent, 'read', 'print a stream from an offset to its tail')
    .option('--offset <OFFSET>', 'offset to start from; -1 is the beginning', '-1')
    .action(async (name: string, options: { offset: string }, self: Command) => {
      const { settings } = await loadSettings(context, self);
      let at = { offset: options.offset, upToDate: false, closed: false };
      while (!at.upToDate) at = await copyStream(context, settings, { name, offset: at.offset, live: false });
      await printNote(context, `next offset ${at.offset}${at.closed ? ', closed' : ''}`);
    });
}
