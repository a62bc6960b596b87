/** `sonde stream tail`: prints new data as it arrives, until the stream is closed or the command is stopped. */
import type { Command } from 'commander';
import { type CliContext, printNote } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import { addStreamCommand, copyStream } from '../stream-client.js';

interface TailOptions {
  readonly offset?: string;
  readonly follow?: true;
}

export function addStreamTail(parent: Command, context: CliContext): void {
  addStreamCommand(parent, 'tail', 'print a stream and, with -f, follow it')
    .option('-f, --follow', 'wait for more until the stream is closed')
    .option(
      '--offset <OFFSET>',
      'offset to start from; -1 is the beginning, now is the end (default: now with -f, otherwise -1)',
    )
    .action(async (name: string, options: TailOptions, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const follow = options.follow === true;
      let stopped = false;
      const stop = context.runtime.claimStopSignal().then(() => {
        stopped = true;
      });
      let at = { offset: options.offset ?? (follow ? 'now' : '-1'), upToDate: false, closed: false };
      while (!stopped && !(at.upToDate && (at.closed || !follow))) {
        const read = copyStream(context, settings, { name, offset: at.offset, live: follow });
        at = (await Promise.race([read, stop])) ?? at;
      }
      await printNote(context, `next offset ${at.offset}${at.closed ? ', closed' : ''}`);
      if (stopped) context.exitCode = EXIT_CODES.interrupted.code;
    });
}
