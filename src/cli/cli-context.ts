/** The context of every command: the ports, the output options of this call, and the exit code to set. */
import type { ExitCode } from './exit-codes.js';
import { createPaint, type Paint } from './paint.js';
import type { CliPorts } from './ports.js';

export interface CliContext extends CliPorts {
  /** Whether `--json` was given: results are machine-readable, and notes are not printed. */
  readonly json: boolean;
  readonly paint: Paint;
  /** The command that was called, as far as it is known: `sonde config show`. */
  commandPath: string;
  exitCode: ExitCode;
}

/** Checked before parsing, because a parse error must already be printed in the right form. */
const hasJsonFlag = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
};

export function createContext(ports: CliPorts, args: readonly string[]): CliContext {
  const { stdout, env } = ports.terminal;
  return {
    ...ports,
    json: hasJsonFlag(args),
    paint: createPaint(stdout, env),
    commandPath: 'sonde',
    exitCode: 0,
  };
}

/** Prints a result for people to stdout. */
export const printText = (context: CliContext, text: string): Promise<void> =>
  context.terminal.stdout.write(`${text}\n`);

/** Prints a result for programs to stdout: one line, with the version of its schema. */
export const printJson = (context: CliContext, body: Readonly<Record<string, unknown>>): Promise<void> =>
  context.terminal.stdout.write(`${JSON.stringify({ schemaVersion: 1, ...body })}\n`);

/** Prints a result in the form that was asked for. */
export const printResult = (
  context: CliContext,
  body: Readonly<Record<string, unknown>>,
  text: string,
): Promise<void> => (context.json ? printJson(context, body) : printText(context, text));

/** Prints a note for people to stderr; does nothing with `--json`. */
export const printNote = async (context: CliContext, text: string): Promise<void> => {
  if (!context.json) await context.terminal.stderr.write(`${text}\n`);
};
