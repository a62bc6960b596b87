/** What every command is given: the ports, the output options of this call, and where the exit code goes. */
import type { ExitCode } from './exit-codes.js';
import { createPaint, type Paint } from './paint.js';
import type { CliPorts } from './ports.js';

export interface CliContext extends CliPorts {
  /** Whether `--json` was given: machine-readable results, no chatter. */
  readonly json: boolean;
  readonly paint: Paint;
  /** The command that was called, as far as it is known: `sonde config show`. */
  asked: string;
  exitCode: ExitCode;
}

/** Scanned before parsing, because an error of parsing itself must already be in the right form. */
const asksForJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
};

export function createContext(ports: CliPorts, args: readonly string[]): CliContext {
  const { stdout, env } = ports.terminal;
  return { ...ports, json: asksForJson(args), paint: createPaint(stdout, env), asked: 'sonde', exitCode: 0 };
}

/** A result for people, on stdout. */
export const printText = (context: CliContext, text: string): Promise<void> =>
  context.terminal.stdout.write(`${text}\n`);

/** A result for programs, on stdout: one line, with the version of its shape. */
export const printJson = (context: CliContext, body: Readonly<Record<string, unknown>>): Promise<void> =>
  context.terminal.stdout.write(`${JSON.stringify({ schemaVersion: 1, ...body })}\n`);

/** Chatter for people, on stderr; nothing with `--json`. */
export const printNote = async (context: CliContext, text: string): Promise<void> => {
  if (!context.json) await context.terminal.stderr.write(`${text}\n`);
};
