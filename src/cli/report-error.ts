/**
 * Reports any thrown value: one redacted line per problem on stderr, a hint, and the exit code. Neither stack traces
 * nor control characters in foreign text reach the terminal.
 */
import { CommanderError } from 'commander';
import { asSondeError, type ErrorCode, SondeError } from '../errors.js';
import { printableLine } from '../printable.js';
import type { CliContext } from './cli-context.js';
import { EXIT_CODES, type ExitCode, exitCodeOf } from './exit-codes.js';
import { createPaint } from './paint.js';

const HINTS: Partial<Record<ErrorCode, string>> = {
  CONFIG_UNKNOWN_KEY: 'sonde serve --help lists every setting, sonde config schema describes the file',
  CONFIG_INVALID_VALUE: 'sonde serve --help lists every setting, sonde config schema describes the file',
  LISTEN_FAILED: 'choose another port with --port, or --port 0 for a free one',
};

const oneLine = (text: string): string =>
  printableLine(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

/** Commander writes "error: what" and, on a second line, "(Did you mean x?)". */
function usageError(thrown: CommanderError): SondeError {
  const [first = '', ...rest] = thrown.message.split('\n');
  const guess = /^\(([^()]+)\)$/.exec(rest.join(' ').trim())?.[1];
  return new SondeError('USAGE', first.replace(/^error: /, ''), {
    cause: thrown,
    details: guess ? { hint: guess } : {},
  });
}

function problemsOf(error: SondeError): readonly string[] {
  const { problems } = error.details;
  return Array.isArray(problems) ? problems : [error.message];
}

async function writeError(context: CliContext, error: SondeError): Promise<void> {
  const { createRedactor } = await import('../net/redact/index.js');
  const redactor = createRedactor();
  const clean = (text: string): string => oneLine(redactor.text(text));
  const { stderr, env } = context.terminal;
  if (context.json) {
    const problems = problemsOf(error).map(clean);
    const body = {
      code: error.code,
      message: clean(error.message),
      ...(problems.length > 1 && { problems }),
    };
    await stderr.write(`${JSON.stringify({ schemaVersion: 1, error: body })}\n`);
    return;
  }
  const paint = createPaint(stderr, env);
  const lines = problemsOf(error).map((problem) => `${paint('critical', 'error:')} ${clean(problem)}`);
  const help = error.code === 'USAGE' ? `${context.commandPath} --help shows its usage` : undefined;
  const hint = error.details['hint'] ?? suggestFix(error) ?? HINTS[error.code] ?? help;
  if (typeof hint === 'string') lines.push(`${paint('muted', 'hint:')} ${clean(hint)}`);
  await stderr.write(`${lines.join('\n')}\n`);
}

/** How to make a refused URL pass, if that is possible. */
function suggestFix({ details: { allow, suggest } }: SondeError): string | undefined {
  if (typeof allow === 'string') return `to allow it, add --allow-private ${allow}`;
  return typeof suggest === 'string' ? `did you mean ${suggest} ?` : undefined;
}

export async function reportError(context: CliContext, thrown: unknown): Promise<ExitCode> {
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return EXIT_CODES.success.code;
    // A command group was called without a command, so its help was already printed.
    if (thrown.code === 'commander.help') return EXIT_CODES.usage.code;
  }
  const error = thrown instanceof CommanderError ? usageError(thrown) : asSondeError(thrown);
  await writeError(context, error);
  return exitCodeOf(error);
}
