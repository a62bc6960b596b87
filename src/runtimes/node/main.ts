#!/usr/bin/env node
/**
 * The executable. It creates the ports, runs one command and sets the exit code. It ends quietly if the reader of
 * stdout has left, and on an uncaught error with one redacted line and exit code 4.
 */
import process from 'node:process';
import { EXIT_CODES } from '../../cli/exit-codes.js';
import type { CliPorts } from '../../cli/ports.js';
import { runProgram } from '../../cli/run-program.js';
import { printableLine } from '../../printable.js';
import { createCliRuntime } from './cli-runtime.js';
import { createFiles } from './files.js';
import { listenForStopSignals } from './stop-signals.js';
import { createTerminal } from './terminal.js';

/** After a command is done, the process exits at the latest after this long, even if something keeps it alive. */
const LINGER_MS = 1000;

async function exitWithError(thrown: unknown): Promise<never> {
  try {
    const { createRedactor } = await import('../../net/redact/index.js');
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const line = printableLine(createRedactor().text(text));
    process.stderr.write(`error: unexpected error: ${line}\n`);
  } finally {
    process.exit(EXIT_CODES.server.code);
  }
}

function exitQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT_CODES.success.code);
    void exitWithError(error);
  });
  // Without stderr the error cannot be reported.
  process.stderr.on('error', () => {});
}

async function main(): Promise<void> {
  const signals = listenForStopSignals();
  exitQuietlyWithoutReader();
  process.on('uncaughtException', (thrown) => void exitWithError(thrown));
  process.on('unhandledRejection', (thrown) => void exitWithError(thrown));
  const ports: CliPorts = {
    terminal: createTerminal(),
    files: createFiles(),
    runtime: createCliRuntime(signals, {
      storeWorker: new URL('./store-worker.js', import.meta.url),
      recordsWorker: new URL('./records-worker.js', import.meta.url),
      requestWorker: new URL('./request-worker.js', import.meta.url),
      reportWorker: new URL('./report-worker.js', import.meta.url),
      documentWorker: new URL('./document-worker.js', import.meta.url),
      migrations: new URL('../migrations/', import.meta.url),
      docs: new URL('../docs/', import.meta.url),
      dashboard: new URL('./dashboard/', import.meta.url),
    }),
  };
  process.exitCode = await runProgram(process.argv.slice(2), ports);
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

await main();
