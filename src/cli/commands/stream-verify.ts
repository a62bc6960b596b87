/** `sonde stream verify`: reads every stored byte of a data folder and compares it with its checksum. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import type { VerifiedStream } from '../ports.js';
import { addSettingOptions } from '../setting-options.js';

export function addStreamVerify(parent: Command, context: CliContext): void {
  const command = parent
    .command('verify')
    .description(
      'read every stream in a data folder and report damage and missing segments; no server may be using the folder',
    )
    .action(async (_options: unknown, self: Command) => {
      const { settings } = await loadSettings(context, self);
      const damaged: VerifiedStream[] = [];
      const missing: { id: string; segments: readonly number[] }[] = [];
      const wronglyMarked: string[] = [];
      let streams = 0;
      let bytes = 0;
      for await (const stream of context.runtime.verifyStreams(settings)) {
        streams += 1;
        bytes += stream.bytes;
        if (stream.damagedFrom !== undefined) damaged.push(stream);
        if (stream.missing) missing.push({ id: stream.id, segments: stream.missing });
        if (stream.wronglyMarked) wronglyMarked.push(stream.id);
      }
      const faults = damaged.length + missing.length + wronglyMarked.length;
      if (faults > 0) context.exitCode = EXIT_CODES.findings.code;
      if (context.json) return printJson(context, { streams, bytes, damaged, missing, wronglyMarked });
      const verdict = faults === 0 ? context.paint('pass', 'intact') : context.paint('critical', 'damaged');
      const lines = [
        ...damaged.map(({ id, damagedFrom }) => `  ${id}  from ${damagedFrom}`),
        ...missing.map(({ id, segments }) => `  ${id}  segments missing: ${segments.join(', ')}`),
        ...wronglyMarked.map((id) => `  ${id}  intact, but marked as damaged: use "sonde stream repair"`),
      ];
      return printText(context, [`${verdict}  ${streams} streams, ${bytes} bytes read`, ...lines].join('\n'));
    });
  addSettingOptions(command, ['server.data']);
}
