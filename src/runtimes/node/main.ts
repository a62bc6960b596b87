#!/usr/bin/env node
/**
 * The bin: builds the ports, runs one call of the command line and sets the exit code. Ends quietly when
 * the reader of stdout has left, and with one redacted line and 4 on an uncaught error.
 */
import process from 'node:process';
import { EXIT_CODES } from '../../cli/exit-codes.js';
import type { CliPorts } from '../../cli/ports.js';
import { runProgram } from '../../cli/run-program.js';
import { createCliRuntime } from './cli-runtime.js';
import { createFiles } from './files.js';
import { listenForStopSignals } from './stop-signals.js';
import { createTerminal } from './terminal.js';

/** What may still hold the process after a command is done; it is not waited for longer than this. */
const LINGER_MS = 1000;

async function dieOf(thrown: unknown): Promise<never> {
  try {
    const { createRedactor } = await import('../../net/redact/index.js');
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const line = createRedactor()
      .text(text)
      .replace(/\p{Cc}+/gu, ' ');
    process.stderr.write(`error: unexpected error: ${line}\n`);
  } finally {
    process.exit(EXIT_CODES.server.code);
  }
}

function endQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT_CODES.success.code);
    void dieOf(error);
  });
  // Without stderr the error cannot be reported.
  process.stderr.on('error', () => {});
}

async function main(): Promise<void> {
  const signals = listenForStopSignals();
  endQuietlyWithoutReader();
  process.on('uncaughtException', (thrown) => void dieOf(thrown));
  process.on('unhandledRejection', (thrown) => void dieOf(thrown));
  const ports: CliPorts = {
    terminal: createTerminal(),
    files: createFiles(),
    runtime: createCliRuntime(signals, {
      storeWorker: new URL('./store-worker.js', import.meta.url),
      recordsWorker: new URL('./records-worker.js', import.meta.url),
      requestWorker: new URL('./request-worker.js', import.meta.url),
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
