/** `sonde redact`: redacts stdin to stdout, or runs a file of cases through the same redactor. */
import type { Command } from 'commander';
import { type CliContext, printNote } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';

const CASES_BYTES_MAX = 64 * 1024 * 1024;

async function filterStdin(context: CliContext): Promise<void> {
  const { StreamRedactor } = await import('../redact/redact-stream.js');
  const { createRedactor } = await import('../../net/redact/index.js');
  const { stdout, stdin } = context.terminal;
  const input = stdin();
  if (input.isTTY) await printNote(context, 'reading from the terminal; press Ctrl-D to end');
  const stream = new StreamRedactor(createRedactor());
  // As bytes, because a filter changes nothing but credentials.
  const copy = async (text: string) => {
    if (text !== '') await stdout.write(new TextEncoder().encode(text));
  };
  for await (const chunk of input.chunks) {
    await copy(stream.push(chunk));
  }
  await copy(stream.end());
  if (stream.leftOut === 0) return;
  context.exitCode = EXIT_CODES.findings.code;
  await printNote(context, `${stream.leftOut} too long to check: replaced by a marker`);
}

async function runCases(context: CliContext, path: string): Promise<void> {
  const text = await context.files.readText(path, { bytesMax: CASES_BYTES_MAX });
  const { parseRedactCases, runRedactCase } = await import('../redact/redact-cases.js');
  const { createRedactor } = await import('../../net/redact/index.js');
  const cases = parseRedactCases(path, text);
  const redactor = createRedactor();
  let differing = 0;
  for (const each of cases) {
    const result = runRedactCase(each, redactor);
    if (!result.pass) differing += 1;
    const line = context.json ? { schemaVersion: 1, ...result } : result;
    await context.terminal.stdout.write(`${JSON.stringify(line)}\n`);
  }
  await printNote(context, `${cases.length - differing} of ${cases.length} cases pass`);
  if (differing > 0) context.exitCode = EXIT_CODES.findings.code;
}

export function addRedact(parent: Command, context: CliContext): void {
  parent
    .command('redact')
    .description('filter stdin to stdout with credentials masked')
    .option('--cases <FILE.jsonl>', 'run the cases in this file, and print one result per line')
    .addHelpText(
      'after',
      `
Cases:
  Each line of the file is {"id","input","hide":[…],"keep":[…]}; every string of hide must be gone from
  the redacted input and every string of keep unchanged in it. Each result is {"id","expect","got","pass","code"}:
  expect is hidden, kept, hidden+kept or nothing; got says leaked or lost where it differs, and so does code.
  Exit code 1 if any case differs.`,
    )
    .action(async (options: { cases?: string }) => {
      if (options.cases === undefined) await filterStdin(context);
      else await runCases(context, options.cases);
    });
}
