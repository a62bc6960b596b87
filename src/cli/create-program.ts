/** The program: its global options and the explicit list of all its commands. */
import { Command } from 'commander';
import { VERSION } from '../version.js';
import type { CliContext } from './cli-context.js';
import { addAudit } from './commands/audit.js';
import { addBackup } from './commands/backup.js';
import { addCompact } from './commands/compact.js';
import { addCompare } from './commands/compare.js';
import { addCompletion } from './commands/completion.js';
import { addConfigSchema } from './commands/config-schema.js';
import { addConfigShow } from './commands/config-show.js';
import { addDemo } from './commands/demo.js';
import { addExitCodes } from './commands/exit-codes.js';
import { addExplain } from './commands/explain.js';
import { JOB_ACTIONS } from './commands/jobs-actions.js';
import { addJobsList } from './commands/jobs-list.js';
import { addJobsShow } from './commands/jobs-show.js';
import { addLogin } from './commands/login.js';
import { addNetCheck } from './commands/net-check.js';
import { addProbe } from './commands/probe.js';
import { addProxyAbort } from './commands/proxy-abort.js';
import { addProxyResume } from './commands/proxy-resume.js';
import { addProxySend } from './commands/proxy-send.js';
import { addProxyShare } from './commands/proxy-share.js';
import { addRedact } from './commands/redact.js';
import { RM_COMMANDS } from './commands/rm.js';
import { addServe } from './commands/serve.js';
import { addStreamAppend } from './commands/stream-append.js';
import { addStreamCreate } from './commands/stream-create.js';
import { addStreamHead } from './commands/stream-head.js';
import { addStreamList } from './commands/stream-list.js';
import { addStreamRead } from './commands/stream-read.js';
import { addStreamRepair } from './commands/stream-repair.js';
import { addStreamRm } from './commands/stream-rm.js';
import { addStreamTail } from './commands/stream-tail.js';
import { addStreamVerify } from './commands/stream-verify.js';
import { addTenantCreate } from './commands/tenant-create.js';
import { addTenantList } from './commands/tenant-list.js';
import { addTenantQuota } from './commands/tenant-quota.js';
import { addToken } from './commands/token.js';
import { addWorker } from './commands/worker.js';
import { exitCodeLines } from './exit-codes.js';
import { createPaint, showsColour } from './paint.js';
import type { Output } from './ports.js';

type AddCommand = (parent: Command, context: CliContext) => void;

/** Commands of the program itself, in the order of its help. */
const COMMANDS: readonly AddCommand[] = [
  addServe,
  addAudit,
  addCompare,
  addProbe,
  addWorker,
  addBackup,
  addCompact,
  addDemo,
  addToken,
  addLogin,
  addExplain,
  addRedact,
  addCompletion,
  addExitCodes,
];

/** Groups of subcommands. */
const GROUPS: readonly { name: string; about: string; commands: readonly AddCommand[] }[] = [
  {
    name: 'config',
    about: 'show and describe the configuration',
    commands: [addConfigShow, addConfigSchema],
  },
  {
    name: 'stream',
    about: 'work with durable streams on a server',
    commands: [
      addStreamCreate,
      addStreamAppend,
      addStreamList,
      addStreamRead,
      addStreamTail,
      addStreamHead,
      addStreamRm,
      addStreamVerify,
      addStreamRepair,
    ],
  },
  {
    name: 'jobs',
    about: 'list, inspect, cancel and retry jobs on a server',
    commands: [addJobsList, addJobsShow, ...JOB_ACTIONS],
  },
  {
    name: 'rm',
    about: 'delete audits, comparisons, pairs, suites and jobs that have ended',
    commands: RM_COMMANDS,
  },
  {
    name: 'tenant',
    about: 'create and list tenants, set their quotas',
    commands: [addTenantCreate, addTenantList, addTenantQuota],
  },
  {
    name: 'proxy',
    about: 'send requests through a server that stores the responses',
    commands: [addProxySend, addProxyResume, addProxyShare, addProxyAbort],
  },
  { name: 'net', about: 'check the egress policy', commands: [addNetCheck] },
];

/** Commander does not wait for its writes, so the run waits for them at its end. */
interface HelpOutput {
  flush(): Promise<void>;
}

function configureHelp(program: Command, context: CliContext): HelpOutput {
  const { stdout, stderr, env } = context.terminal;
  const pending: Promise<void>[] = [];
  const writeTo = (output: Output) => (text: string) => {
    pending.push(output.write(text));
  };
  program.configureOutput({
    writeOut: writeTo(stdout),
    writeErr: writeTo(stderr),
    // `reportError` prints all errors.
    outputError: () => {},
    getOutHelpWidth: () => stdout.columns,
    getErrHelpWidth: () => stderr.columns,
    getOutHasColors: () => showsColour(stdout, env),
    getErrHasColors: () => showsColour(stderr, env),
  });
  program.configureHelp({
    showGlobalOptions: true,
    styleTitle: (title) => createPaint(stdout, env)('strong', title),
  });
  return { flush: () => Promise.all(pending).then(() => undefined) };
}

export function createProgram(context: CliContext): { program: Command; help: HelpOutput } {
  const program = new Command('sonde')
    .description('Send it out. Never lose what comes back.')
    .option('--json', 'machine-readable results on stdout, errors on stderr')
    .option(
      '--config <FILE>',
      'configuration file (env: SONDE_CONFIG; default: sonde.config.ts or .json in this folder)',
    )
    .addHelpText('after', `\nExit codes:\n${exitCodeLines().join('\n')}`)
    .version(context.json ? JSON.stringify({ schemaVersion: 1, version: VERSION }) : VERSION)
    .exitOverride();
  const help = configureHelp(program, context);
  for (const add of COMMANDS) add(program, context);
  for (const { name, about, commands } of GROUPS) {
    const group = program.command(name).description(about);
    for (const add of commands) add(group, context);
  }
  return { program, help };
}
