/** `sonde serve`: runs the server until a stop signal, and prints its URL and how to log in. */
import type { Command } from 'commander';
import type { ResolvedSettings } from '../../config/resolve-settings.js';
import { SETTING_ROWS, type SettingRow } from '../../config/setting-rows.js';
import { VERSION } from '../../version.js';
import { type CliContext, printJson, printNote, printText } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import type { RunningServer } from '../ports.js';
import { addSettingOptions } from '../setting-options.js';
import { startOrStop } from '../start-or-stop.js';

const shellWord = (text: string): string =>
  /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function tokenAdvice({ settings, origins }: ResolvedSettings): string {
  if (settings.auth.jwks && !settings.auth.jwtSecret) return 'from the issuer whose keys auth.jwks holds';
  // Only a flag must be repeated; the next call reads the other sources again.
  const data = origins['server.data'].startsWith('flag') ? ` --data ${shellWord(settings.server.data)}` : '';
  return `sonde token --scope stream:read${data}`;
}

function greeting(context: CliContext, resolved: ResolvedSettings, server: RunningServer): string {
  const { paint } = context;
  const lines = [
    `${paint('pass', '●')} ${paint('strong', 'Sonde')} ${VERSION} listens on ${paint('accent', server.url)}`,
  ];
  const line = (title: string, text: string) => lines.push(`  ${paint('muted', title.padEnd(9))}  ${text}`);
  if (resolved.settings.server.auth === 'none') {
    line('Log in', 'not needed (auth: none); every user of this machine can call it as tenant "default"');
  } else {
    if (server.loginUrl) line('Log in', `${paint('accent', server.loginUrl)}  (works once)`);
    line('API token', tokenAdvice(resolved));
  }
  line('Stop', 'Ctrl-C');
  return lines.join('\n');
}

/** Other users of the machine can read the arguments of a process. */
function secretsInFlags({ origins }: ResolvedSettings): SettingRow[] {
  return SETTING_ROWS.filter(
    (row: SettingRow) => row.secret && origins[row.key as keyof typeof origins].startsWith('flag'),
  );
}

async function serve(context: CliContext, command: Command): Promise<void> {
  const resolved = await loadSettings(context, command);
  const { settings } = resolved;
  const log = await context.runtime.createLog(settings);
  for (const { key, flag } of secretsInFlags(resolved)) {
    log.warn(
      'a secret was passed as a flag, which other users of this machine can see; use its environment variable instead',
      { key, flag },
    );
  }
  // Claimed before the start, so that a signal also stops a start that waits for a database.
  const stopSignal = context.runtime.claimStopSignal();
  const { demo = false } = command.opts<{ demo?: boolean }>();
  const server = await startOrStop(context.runtime.startServer(settings, { log, demo }), stopSignal);
  if (server === 'stopped') return;
  if (context.json) {
    const { url, loginUrl } = server;
    await printJson(context, {
      event: 'listening',
      url,
      loginUrl,
      auth: settings.server.auth,
      version: VERSION,
    });
  } else await printText(context, greeting(context, resolved, server));
  if (demo) await printNote(context, `The demo is running. Try it at ${server.url}/ui`);

  const signal = await stopSignal;
  await printNote(context, `${signal}: finishing open requests, at most ${settings.server.drainMs} ms`);
  const { drained } = await server.stop();
  await printNote(context, drained ? 'stopped' : 'stopped; requests still open by then were cut off');
  if (signal === 'SIGINT') context.exitCode = EXIT_CODES.interrupted.code;
}

export function addServe(parent: Command, context: CliContext): void {
  const command = parent
    .command('serve')
    .description('run the server')
    .option('--demo', 'also start the demo: two shops, a site and a model, all on loopback')
    .action((_options: unknown, self: Command) => serve(context, self));
  // A server does not use the settings of the client and of a standalone worker.
  const keys = SETTING_ROWS.map(({ key }) => key).filter((key) => !/^(?:client|worker)\./.test(key));
  addSettingOptions(command, keys);
}
