/** What is wrong with the data folder is named with its cause, and no caller is told where the folder is. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSyncedFolder } from '../../src/runtimes/node/durable-files.js';
import { tryBuiltServer } from '../support/built-server.js';
import { serveForTest } from '../support/serve.js';
import { sonde } from './cli-process.js';

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sonde-folders-'));
  data = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a file in the place of a folder is named as the cause', async () => {
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'secrets'), '');
  const token = await sonde(['token', '--scope', 'admin', '--data', data]);
  const cause = `${join(data, 'secrets')} cannot be created: a file has its name (EEXIST)`;
  expect([token.code, token.stderr]).toEqual([2, expect.stringContaining(cause)]);

  writeFileSync(join(root, 'file'), '');
  expect(await tryBuiltServer({ folder: join(root, 'file', 'data') })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cannot be created: a part of its path is a file (ENOTDIR)'),
  });
});

test('a secret that cannot be read is named with the cause', async () => {
  mkdirSync(join(data, 'secrets', 'jwt.key'), { recursive: true, mode: 0o700 });
  const { code, stderr } = await sonde(['token', '--scope', 'admin', '--data', data]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('jwt.key is not a file')]);
});

test('a folder is created with all that are missing above it, for its owner only', async () => {
  await makeSyncedFolder(join(data, 'a', 'b'));
  for (const folder of [data, join(data, 'a'), join(data, 'a', 'b')]) {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
  await makeSyncedFolder(join(data, 'a', 'b'));
});

test('no response contains the path of a data folder that is gone', async () => {
  const server = await serveForTest({ dataDir: data });
  const json = { 'content-type': 'application/json' };
  try {
    await fetch(`${server.url}/v1/stream/s`, { method: 'PUT', headers: json });
    renameSync(data, join(root, 'away'));
    const append = () => fetch(`${server.url}/v1/stream/s`, { method: 'POST', headers: json, body: '1' });
    await expect.poll(async () => (await append()).status, { timeout: 10_000 }).toBe(503);
    const job = JSON.stringify({ kind: 'hello', url: 'https://example.com/' });
    const create = () => fetch(`${server.url}/api/jobs`, { method: 'POST', headers: json, body: job });
    await expect.poll(async () => (await create()).status, { timeout: 10_000 }).toBe(503);
    for (const response of [await append(), await create(), await fetch(`${server.url}/api/ready`)]) {
      const text = await response.text();
      expect([response.status, text]).toEqual([503, expect.not.stringContaining(root)]);
      expect(text).toMatch(/is gone; nothing was acknowledged|Failed checks/);
    }
    renameSync(join(root, 'away'), data);
  } finally {
    await server.stop();
  }
});

test('readiness says of each dependency what it stops', async () => {
  const server = await serveForTest({ dataDir: data });
  try {
    const ready = async () => (await fetch(`${server.url}/api/ready`)).json();
    const of = (name: string, state: string, stops: readonly string[]) =>
      expect.objectContaining({ name, state, stops });
    const streams = ['streams', 'subscriptions', 'proxy'];
    const records = ['jobs', 'audits', 'comparisons', 'suites', 'webhooks'];
    expect(await ready()).toMatchObject({
      dependencies: [
        of('data folder', 'ok', streams),
        of('streams', 'ok', streams),
        of('jobs', 'ok', records),
      ],
    });
    renameSync(data, join(root, 'away'));
    expect(await ready()).toMatchObject({
      error: {
        code: 'NOT_READY',
        dependencies: expect.arrayContaining([of('data folder', 'failed', streams)]),
      },
    });
    renameSync(join(root, 'away'), data);
  } finally {
    await server.stop();
  }
});
