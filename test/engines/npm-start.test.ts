/** `npm start` runs nothing but the server, and a signal to npm ends the server. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
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

/** In its own process group, as a shell starts it; the process ends with the test. */
async function npmStart() {
  const args = ['start', '--silent', '--', '--port', '0', '--json', '--data', folderWith()];
  const npm = spawn('npm', args, { cwd: ROOT, detached: true });
  const ended = once(npm, 'close');
  const group = -(npm.pid ?? 0);
  onTestFinished(async () => {
    if (npm.exitCode !== null || npm.signalCode !== null) return;
    process.kill(group, 'SIGKILL');
    await ended;
  });
  const { url } = await new Promise<{ url: string }>((resolve) =>
    npm.stdout.once('data', (bytes: Buffer) => resolve(JSON.parse(String(bytes)))),
  );
  return { npm, ended, health: new URL('/api/health', url) };
}

test.each([
  // npm forwards SIGTERM; Ctrl-C at a terminal reaches the whole group.
  ['SIGTERM to npm', (npm: number) => process.kill(npm, 'SIGTERM')],
  ['SIGINT to its group', (npm: number) => process.kill(-npm, 'SIGINT')],
])('ends the server on %s', async (_name, kill) => {
  const { npm, ended, health } = await npmStart();
  expect((await fetch(health)).status).toBe(200);
  const under = processesUnder(npm.pid ?? 0);
  expect(under.filter(({ command }) => command.includes('esbuild'))).toEqual([]);
  kill(npm.pid ?? 0);
  // The pipes close only when every process that holds them is gone.
  await ended;
  await expect(fetch(health)).rejects.toThrow();
});
