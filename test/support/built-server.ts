/**
 * The built server in its own process, for tests that kill it, trace it or take its disk away. Its environment contains
 * no settings of the tests, because the program refuses settings that it does not know.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));

export interface BuiltServer {
  /** The id of the program itself, even under a wrapper. */
  readonly pid: number;
  readonly url: string;
  /** Returns what it has written to stderr. */
  stderr(): string;
  /** Returns whether it still runs. */
  isRunning(): boolean;
  /** Sends a signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface BuiltServerOptions {
  /** Another build of the program. */
  readonly program?: string;
  readonly folder: string;
  /** `none` by default. */
  readonly auth?: 'jwt' | 'none';
  /** A command and its arguments, placed before the program. */
  readonly wrapper?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface FailedStart {
  readonly exitCode: number | null;
  readonly stderr: string;
}

export async function startBuiltServer(options: BuiltServerOptions): Promise<BuiltServer> {
  const started = await tryBuiltServer(options);
  if ('url' in started) return started;
  throw new Error(`the server did not start: ${started.exitCode} ${started.stderr}`);
}

export async function tryBuiltServer({
  program = PROGRAM,
  folder,
  auth = 'none',
  wrapper = [],
  args = [],
  env = {},
}: BuiltServerOptions): Promise<BuiltServer | FailedStart> {
  const options = ['--port', '0', '--auth', auth, '--data', folder, '--json', '--log-level', 'error'];
  const serve = ['serve', ...options];
  const [command = process.execPath, ...rest] = [...wrapper, process.execPath, program, ...serve, ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', UV_USE_IO_URING: '0', ...env },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-20_000);
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (!first) return { exitCode: child.exitCode, stderr };
  const { url } = JSON.parse(String(first[0])) as { url: string };
  const pid = wrapper.length === 0 ? (child.pid ?? 0) : programBelow(child);
  return {
    pid,
    url,
    stderr: () => stderr,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async end(name) {
      signal(child, pid, name);
      await exited;
      return { code: child.exitCode, signal: child.signalCode };
    },
    async stop() {
      signal(child, pid, 'SIGTERM');
      await exited;
      return child.exitCode;
    },
    async kill() {
      signal(child, pid, 'SIGKILL');
      await exited;
    },
  };
}

/** A wrapper ends with the program, but not the other way round. */
function signal(child: ChildProcess, pid: number, name: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

/** A wrapper that execs the program shares its id; a wrapper that starts it is its parent. */
function programBelow({ pid = 0 }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? pid : Number(children.split(' ')[0]);
}
