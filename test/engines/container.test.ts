/**
 * Tests Dockerfile and compose.yaml without a container engine: the files that the last stage copies are laid out in an
 * empty folder, and its commands run there with its environment.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { listenHttp } from '../support/listen.js';
import { newDatabase } from '../support/postgres-database.js';
import { finished, folderWith } from './cli-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const jsonOf = (word: string): string[] =>
  JSON.parse(new RegExp(`${word} (\\[.*\\])`, 'm').exec(last)?.[1] ?? '[]') as string[];

function layOut(): { folder: string; env: Record<string, string> } {
  const folder = folderWith();
  for (const [, name = ''] of last.matchAll(/^COPY --from=\w+ \/sonde\/(\S+)/gm)) {
    // Too large to copy; the image's has no development dependencies.
    if (name === 'node_modules') symlinkSync(join(ROOT, name), join(folder, name));
    else cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  const given = (/^ENV (.*)$/m.exec(last)?.[1] ?? '').split(' ').map((pair) => pair.split('='));
  return { folder, env: { ...Object.fromEntries(given), PATH: process.env['PATH'] ?? '' } };
}

test('the image serves, reports its health and stops', async () => {
  const { folder, env } = layOut();
  const own = { ...env, SONDE_DATA: join(folder, 'data'), SONDE_HOST: '127.0.0.1', SONDE_PORT: '0' };
  const [program = '', ...args] = [...jsonOf('ENTRYPOINT'), ...jsonOf('^CMD'), '--json'];
  const server = spawn(program, args, { cwd: folder, env: own });
  const ended = finished(server);
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    server.stdout.once('data', (data: Buffer) => resolve(JSON.parse(String(data))));
    server.once('exit', (code) => reject(new Error(`${program} ${args.join(' ')} ended with ${code}`)));
  });
  const [health = '', ...healthArgs] = jsonOf('  CMD');
  const check = (port: string) =>
    finished(spawn(health, healthArgs, { env: { PATH: env['PATH'] ?? '', SONDE_PORT: port } }));
  expect((await check(new URL(url).port)).code).toBe(0);
  server.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect((await check(new URL(url).port)).code).toBe(1);
});

test('the image is pinned, unprivileged and keeps its data in a volume', () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1]);
  expect(new Set(bases)).toEqual(new Set(['node:22.22.0-bookworm-slim']));
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^VOLUME \/data$/m);
});

test('the server and the worker of compose share a database: one queues what the other runs', async () => {
  const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as {
    services: Record<string, { command?: string[]; environment: Record<string, string> }>;
  };
  const { server, worker } = compose.services;
  expect([server?.command, worker?.command]).toEqual([['serve'], ['worker']]);
  expect(worker?.environment).toEqual(server?.environment);
  const secret = 'a secret for tests only of 41 characters.';
  const databaseUrl = await newDatabase('template0');
  const given = Object.keys(server?.environment ?? {}).map((name) => [
    name,
    name === 'DATABASE_URL' ? databaseUrl : secret,
  ]);
  const target = await listenHttp((_request, response) => response.end('hello'));
  const { folder, env } = layOut();
  const start = (service: string, command: readonly string[], extra: Record<string, string>) => {
    const [program = '', ...args] = [...jsonOf('ENTRYPOINT'), ...command, '--json'];
    const own = {
      SONDE_DATA: join(folder, service),
      SONDE_HOST: '127.0.0.1',
      SONDE_PORT: '0',
      SONDE_ALLOW_PRIVATE: target.origin,
    };
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...env, ...Object.fromEntries(given), ...own, ...extra },
    });
    const ended = finished(child);
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    return once(child.stdout, 'data');
  };
  try {
    // Without its own jobs, so that the worker gets them all.
    const [line] = await start('server', server?.command ?? [], { SONDE_JOB_CONCURRENCY: '0' });
    await start('worker', worker?.command ?? [], {});
    const { url } = JSON.parse(String(line)) as { url: string };
    const token = await mintToken({
      ...{ secret, tenant: 'default', expiresInSeconds: 60 },
      scopes: ['audit:read', 'audit:write'],
    });
    const call = async (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(url + path, { ...init, headers })).json() as Promise<Record<string, string>>;
    };
    const body = JSON.stringify({ kind: 'hello', url: target.origin });
    const { jobId } = await call('/api/jobs', { method: 'POST', body });
    await expect
      .poll(async () => (await call(`/api/jobs/${jobId}`))['status'], { timeout: 30_000 })
      .toBe('done');
  } finally {
    await target.close();
  }
});
