// Runs the built program repeatedly in one process, which loads its modules once; `shareProcess` of
// test/engines/cli-process.ts starts it. Each run evaluates the program's entry again, with its own arguments, folder,
// environment and streams.
import process from 'node:process';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** Events that the program listens for; the next run starts without these listeners. */
const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'uncaughtException', 'unhandledRejection'];

/** @typedef {{ program: string, args: string[], cwd: string, env: Record<string, string>, input?: string }} Run */

/** @param {'stdout' | 'stderr'} name @param {(bytes: Uint8Array) => void} onBytes */
function capture(name, onBytes) {
  process[name].removeAllListeners('error');
  process[name].write = /** @type {typeof process.stdout.write} */ (
    (data, encodingOrDone, done) => {
      onBytes(Buffer.from(data));
      const then = typeof encodingOrDone === 'function' ? encodingOrDone : done;
      if (then) setImmediate(then);
      return true;
    }
  );
}

let runs = 0;

/** @param {Run} run */
async function execute({ program, args, cwd, env, input }) {
  const written = { stdout: /** @type {Uint8Array[]} */ ([]), stderr: /** @type {Uint8Array[]} */ ([]) };
  capture('stdout', (bytes) => written.stdout.push(bytes));
  capture('stderr', (bytes) => written.stderr.push(bytes));
  // Without input, stdin stays open and silent.
  const stdin = input === undefined ? new Readable({ read() {} }) : Readable.from([Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.chdir(cwd);
  process.env = env;
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  const exited = new Promise((resolve) => {
    process.exit = /** @type {typeof process.exit} */ (
      (...codes) => {
        // Without an exit code this is the last run, and it no longer waits for what keeps its process alive.
        if (codes.length > 0) resolve(codes[0]);
      }
    );
  });
  const ended = import(`${pathToFileURL(program).href}?run=${runs++}`).then(() => process.exitCode ?? 0);
  const code = await Promise.race([ended, exited]);
  for (const event of EVENTS) process.removeAllListeners(event);
  const text = (/** @type {'stdout' | 'stderr'} */ name) => Buffer.concat(written[name]).toString();
  return { code, signal: null, stdout: text('stdout'), stderr: text('stderr') };
}

process.on('message', async (/** @type {Run} */ run) => process.send?.(await execute(run)));
