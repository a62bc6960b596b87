/** Runs one call of the command line and returns its exit code; never throws. */
import type { Command } from 'commander';
import { createContext } from './cli-context.js';
import { createProgram } from './create-program.js';
import type { ExitCode } from './exit-codes.js';
import type { CliPorts } from './ports.js';
import { printablePorts } from './printable-ports.js';
import { reportError } from './report-error.js';

/** The deepest command that the given words name. */
function findCommandPath(program: Command, args: readonly string[]): string {
  const [path, words] = [[program.name()], args.filter((word) => !word.startsWith('-'))];
  let at: Command | undefined = program;
  for (const word of words) {
    at = at.commands.find((command) => command.name() === word);
    if (!at) break;
    path.push(word);
  }
  return path.join(' ');
}

/** `args` without the program's own name. */
export async function runProgram(args: readonly string[], given: CliPorts): Promise<ExitCode> {
  const ports = printablePorts(given);
  const context = createContext(ports, args);
  const { program, help } = createProgram(context);
  context.commandPath = findCommandPath(program, args);
  try {
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (thrown) {
    return await reportError(context, thrown);
  } finally {
    await help.flush();
    await ports.end();
  }
}
