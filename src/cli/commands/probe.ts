/** `sonde probe`: probes one URL, without a server or a database. */
import type { Command } from 'commander';
import { type CliContext, printText } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { collect, readHeaderOptions } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions } from '../setting-options.js';

interface ProbeOptions {
  readonly profile: string;
  readonly header?: string[];
}

async function probe(context: CliContext, self: Command, url: string): Promise<void> {
  const { SondeError } = await import('../../errors.js');
  const { profile, header } = self.opts<ProbeOptions>();
  if (profile !== 'core' && profile !== 'full') {
    throw new SondeError('USAGE', `--profile is core or full, not ${JSON.stringify(profile)}`);
  }
  const headers = await readHeaderOptions(header, '--header');
  const { settings } = await loadSettings(context, self);
  const outbound = await context.runtime.openProbes(settings);
  try {
    outbound.refuse(url);
    const { identifyEnvelope } = await import('../../probe/index.js');
    const seen = await outbound.provider.probe(url, { profile, headers });
    const envelope = identifyEnvelope(seen, { comparisonId: 'test', side: 'left' });
    if ('error' in envelope.result) context.exitCode = EXIT_CODES.target.code;
    if (context.json) return await printText(context, JSON.stringify(envelope));
    const { describeEnvelope } = await import('../describe-envelope.js');
    await printText(context, describeEnvelope(envelope, context.paint));
  } finally {
    await outbound.close();
  }
}

export function addProbe(parent: Command, context: CliContext): void {
  const command = parent
    .command('probe')
    .description('probe one URL: redirects, headers, cookies, body, TLS, timing')
    .argument('<URL>', 'an http or https URL')
    .option('--profile <NAME>', 'core (six header families) or full (everything)', 'full')
    .option('--header <NAME: VALUE>', 'send this header to the URL and to no other origin', collect)
    .addHelpText(
      'after',
      `
With --json the envelope is printed, which sonde compare --from reads again.`,
    )
    .action((url: string, _options: ProbeOptions, self: Command) => probe(context, self, url));
  addSettingOptions(command, [
    'net.allowPrivate',
    'net.connectTo',
    'net.dnsServers',
    'net.ca',
    'net.userAgent',
    'compare.probeMs',
    'compare.redirectsMax',
  ]);
}
