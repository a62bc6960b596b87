import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretFiles } from './secrets.js';

let root: string;
let data: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sonde-secrets-'));
  data = join(root, 'deep', 'data');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('creates two secrets once, readable only by their owner', async () => {
  const created = await secretFiles(data).auth();
  expect(created.jwtSecret).toMatch(/^[\w-]{43}$/);
  expect(created.sessionKey).not.toBe(created.jwtSecret);
  expect(await modeOf(join(data, 'secrets'))).toBe(0o700);
  expect((await readdir(join(data, 'secrets'))).sort()).toEqual(['jwt.key', 'session.key']);
  for (const name of ['jwt.key', 'session.key'])
    expect(await modeOf(join(data, 'secrets', name))).toBe(0o600);
  expect(await secretFiles(data).auth()).toEqual(created);
});

test('processes that start at the same time agree on one secret', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => secretFiles(data).auth()));
  expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(await readdir(join(data, 'secrets'))).toHaveLength(2);
});

test('refuses readable files and folders, links and invalid content by name, and leaves them unchanged', async () => {
  await secretFiles(data).auth();
  const folder = join(data, 'secrets');
  const file = join(folder, 'jwt.key');
  const refused = (words: string) =>
    expect(secretFiles(data).auth()).rejects.toMatchObject({
      code: 'SECRETS_UNUSABLE',
      message: expect.stringContaining(words) as string,
    });

  await chmod(file, 0o640);
  await refused('has mode 0640; it must be 0600');
  await chmod(file, 0o600);
  await chmod(folder, 0o755);
  await refused('has mode 0755; it must be 0700');
  await chmod(folder, 0o700);

  for (const content of ['', 'short', 'x'.repeat(5000), `${'a'.repeat(43)}\nmore`]) {
    await writeFile(file, content);
    await refused('does not contain a secret');
    expect(await readFile(file, 'utf8')).toBe(content);
  }
  await writeFile(file, await readFile(join(folder, 'session.key')));
  await refused('the same secret twice');
  await rm(file);
  await symlink(join(folder, 'session.key'), file);
  await refused('is a symbolic link');
});

test('refuses a data folder that cannot be created', async () => {
  await mkdir(join(root, 'deep'));
  await writeFile(data, 'a file');
  await expect(secretFiles(data).auth()).rejects.toMatchObject({ code: 'SECRETS_UNUSABLE' });
});
