/** `sonde worker`: runs jobs of a shared database until a stop signal; unstarted jobs go back to the queue. */
import type { Command } from 'commander';
import { VERSION } from '../../version.js';
import { type CliContext, printNote, printResult } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { loadSettings } from '../load-settings.js';
import { addSettingOptions, type SettingChoice } from '../setting-options.js';
import { startOrStop } from '../start-or-stop.js';

const GROUPS: readonly SettingChoice[] = ['jobs', 'worker', 'compare', 'audit', 'explain', 'net', 'log'];

async function work(context: CliContext, command: Command): Promise<void> {
  const { settings } = await loadSettings(context, command);
  const log = await context.runtime.createLog(settings);
  const stopSignal = context.runtime.claimStopSignal();
  const worker = await startOrStop(context.runtime.startWorker(settings, log), stopSignal);
  if (worker === 'stopped') return;
  const { concurrency } = settings.jobs;
  await printResult(
    context,
    { event: 'working', concurrency, version: VERSION, ...(worker.url !== undefined && { url: worker.url }) },
    `Sonde ${VERSION} works, ${concurrency} jobs at a time. ${worker.url === undefined ? '' : `Health and metrics: ${worker.url}. `}Stop: Ctrl-C`,
  );
  const signal = await stopSignal;
  await printNote(context, `${signal}: finishing running jobs, at most ${settings.server.drainMs} ms`);
  await worker.stop();
  if (signal === 'SIGINT') context.exitCode = EXIT_CODES.interrupted.code;
}

export function addWorker(parent: Command, context: CliContext): void {
  const command = parent
    .command('worker')
    .description('run jobs from a shared database; waits up to a minute for the database at startup')
    .action((_options: unknown, self: Command) => work(context, self));
  addSettingOptions(command, [...GROUPS, 'server.data', 'server.drainMs']);
}
