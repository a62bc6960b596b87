/** `sonde probe`: probes one URL, without a server or a database. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
import { type CliContext, printText } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { collect, readHeaderOptions } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import { plainPaint } from '../paint.js';
import { readStdin } from '../read-stdin.js';
import { addSettingOptions } from '../setting-options.js';

interface ProbeOptions {
  readonly profile: string;
  readonly header?: string[];
  readonly request?: string;
  readonly data?: string;
  readonly reporter?: string;
}

const DATA_BYTES_MAX = 10_000_000;
const REPORTERS = ['pretty', 'json'] as const;

interface Reporter {
  readonly name: (typeof REPORTERS)[number];
  readonly file?: string;
}

function readReporters(text: string): Reporter[] {
  return text.split(',').map((each) => {
    const [name = '', ...file] = each.trim().split('=');
    const known = REPORTERS.find((reporter) => reporter === name);
    if (!known) throw new SondeError('USAGE', `--reporter is pretty or json, not ${JSON.stringify(name)}`);
    return { name: known, ...(file.length > 0 && { file: file.join('=') }) };
  });
}

/** Like curl: `@file` reads a file, `@-` reads stdin, and data makes the request a POST. */
async function readData(context: CliContext, data: string | undefined): Promise<Uint8Array | undefined> {
  if (data === undefined) return undefined;
  if (!data.startsWith('@')) return new TextEncoder().encode(data);
  if (data === '@-') return readStdin(context);
  return new TextEncoder().encode(await context.files.readText(data.slice(1), { bytesMax: DATA_BYTES_MAX }));
}

function readMethod(method: string): string {
  if (/^[A-Za-z]{1,20}$/.test(method)) return method.toUpperCase();
  throw new SondeError('USAGE', `--request takes a method such as POST, not ${JSON.stringify(method)}`);
}

async function probe(context: CliContext, self: Command, url: string): Promise<void> {
  const { profile, header, request, data, reporter } = self.opts<ProbeOptions>();
  if (profile !== 'core' && profile !== 'full') {
    throw new SondeError('USAGE', `--profile is core or full, not ${JSON.stringify(profile)}`);
  }
  const reporters = readReporters(reporter ?? (context.json ? 'json' : 'pretty'));
  const headers = await readHeaderOptions(header, '--header');
  const body = await readData(context, data);
  const method = readMethod(request ?? (body ? 'POST' : 'GET'));
  const { settings } = await loadSettings(context, self);
  const outbound = await context.runtime.openProbes(settings);
  try {
    outbound.refuse(url);
    const { identifyEnvelope } = await import('../../probe/index.js');
    const seen = await outbound.provider.probe(url, { profile, headers, method, ...(body && { body }) });
    const envelope = identifyEnvelope(seen, { comparisonId: 'test', side: 'left' });
    if ('error' in envelope.result) context.exitCode = EXIT_CODES.target.code;
    const { describeEnvelope } = await import('../describe-envelope.js');
    for (const { name, file } of reporters) {
      const paint = file === undefined ? context.paint : plainPaint;
      const text = name === 'json' ? JSON.stringify(envelope) : describeEnvelope(envelope, paint);
      if (file === undefined) await printText(context, text);
      else await context.files.writeText(file, `${text}\n`);
    }
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
    .option('-H, --header <NAME: VALUE>', 'send this header to the URL and to no other origin', collect)
    .option('-X, --request <METHOD>', 'the method; POST with --data, else GET')
    .option('-d, --data <TEXT|@FILE>', 'send this as the body; @- reads it from stdin')
    .option('-r, --reporter <NAME[=FILE],…>', 'pretty or json; to stdout or to a file')
    .addHelpText(
      'after',
      `
Examples:
  sonde probe https://example.com
  sonde probe https://api.example.com/items -H 'Content-Type: application/json' -d '{"name":"lamp"}'
  sonde probe http://localhost:3000 --allow-private http://localhost:3000 -r pretty,json=left.json

With --json or -r json the envelope is printed, which sonde compare --from reads again.`,
    )
    .action((url: string, _options: ProbeOptions, self: Command) => probe(context, self, url));
  addSettingOptions(command, ['net', 'compare.probeMs', 'compare.redirectsMax']);
}
