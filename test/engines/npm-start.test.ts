/** `npm start`: nothing but the server runs under it, and a signal to npm ends the server. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith } from './cli-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function processesUnder(pid: number): { pid: number; command: string }[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const all = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []);
  const below = (parent: number): { pid: number; command: string }[] =>
    all
      .filter(([, , ppid]) => Number(ppid) === parent)
      .flatMap(([, child, , command = '']) => [{ pid: Number(child), command }, ...below(Number(child))]);
  return below(pid);
}

test.each(['SIGTERM', 'SIGINT'] as const)('ends the server on %s to npm', async (signal) => {
  const data = folderWith();
  const npm = spawn('npm', ['start', '--silent', '--', '--port', '0', '--json', '--data', data], {
    cwd: ROOT,
  });
  const ended = once(npm, 'close');
  const { url } = await new Promise<{ url: string }>((resolve) =>
    npm.stdout.once('data', (bytes: Buffer) => resolve(JSON.parse(String(bytes)))),
  );
  expect((await fetch(new URL('/api/health', url))).status).toBe(200);
  const under = processesUnder(npm.pid ?? 0);
  expect(under.filter(({ command }) => command.includes('esbuild'))).toEqual([]);
  npm.kill(signal);
  await ended;
  // Its streams are closed only when every process that holds them is gone.
  await expect(fetch(new URL('/api/health', url))).rejects.toThrow();
});
