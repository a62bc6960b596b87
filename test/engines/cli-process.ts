/**
 * Starts the real built program for a test. The test supplies its whole environment, and every process it starts ends
 * with the test.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';

const HOST = fileURLToPath(new URL('../support/command-host.mjs', import.meta.url));
export const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));

export interface SondeOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed; without it stdin stays open and silent. */
  readonly input?: string;
  readonly nodeArgs?: readonly string[];
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates a folder with these files; it is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

export function startSonde(
  args: readonly string[],
  options: SondeOptions = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), PROGRAM, ...args], {
    cwd: options.cwd ?? folderWith(),
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  // A program that does not read its stdin may exit before it is written.
  child.stdin.on('error', () => {});
  if (options.input !== undefined) child.stdin.end(options.input);
  return child;
}

export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [code, signal] = await once(child, 'close');
  return { code, signal, ...texts };
}

export const sonde = (args: readonly string[], options?: SondeOptions): Promise<Finished> =>
  finished(startSonde(args, options));

/**
 * The same program, with all runs of a test file in one process, one after another. Not for tests about the process
 * itself: signals, its exit, a folder that it locks.
 */
export function shareProcess(): typeof sonde {
  let host: ChildProcess | undefined;
  let ended: Promise<never> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  afterAll(async () => {
    host?.kill('SIGKILL');
    await ended?.catch(() => undefined);
  });
  const run = (args: readonly string[], { cwd = folderWith(), env = {}, input }: SondeOptions) => {
    host ??= fork(HOST, { env: {}, execArgv: [] });
    ended ??= once(host, 'exit').then(([code]) => {
      throw new Error(`the shared process ended with ${code}`);
    });
    const result = once(host, 'message').then(([message]) => message as Finished);
    host.send({ program: PROGRAM, args, cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, input });
    return Promise.race([result, ended]);
  };
  return (args, options = {}) => {
    const result = last.then(() => run(args, options));
    last = result.catch(() => undefined);
    return result;
  };
}
