/** `sonde config schema`: prints the JSON Schema of a configuration file. */
import type { Command } from 'commander';
import { type CliContext, printText } from '../cli-context.js';

export function addConfigSchema(parent: Command, context: CliContext): void {
  parent
    .command('schema')
    .description('print the JSON Schema of sonde.config.json')
    .action(async () => {
      const { configSchema } = await import('../../config/config-schema.js');
      // The schema itself is machine-readable and has its own version in $schema.
      await printText(context, JSON.stringify(configSchema(), null, context.json ? 0 : 2));
    });
}
