import { execFileSync, spawn } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFiles } from './files.js';

const files = createFiles();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('replaces a regular file as a whole and keeps its mode', async () => {
  const path = join(folder, 'report.json');
  writeFileSync(path, 'old', { mode: 0o600 });
  const before = statSync(path).ino;
  await files.checkWritable(path);
  await files.writeText(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).ino).not.toBe(before);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('writes through a symbolic link', async () => {
  const [target, path] = [join(folder, 'target'), join(folder, 'link')];
  writeFileSync(target, 'old and longer');
  symlinkSync(target, path);
  await files.checkWritable(path);
  await files.writeText(path, 'new');
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, 'utf8')).toBe('new');
});

test('checks a link that leads nowhere without leaving its target behind', async () => {
  const [target, path] = [join(folder, 'target'), join(folder, 'link')];
  symlinkSync(target, path);
  await files.checkWritable(path);
  expect(readdirSync(folder)).toEqual(['link']);
});

test('does not write through a link planted where its temporary file used to be', async () => {
  const [target, path] = [join(folder, 'target'), join(folder, 'report.md')];
  writeFileSync(target, 'kept');
  symlinkSync(target, `${path}.${process.pid}.part`);
  await files.writeText(path, 'new');
  expect(readFileSync(target, 'utf8')).toBe('kept');
  expect(lstatSync(path).isFile()).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('writes a complete report into a named pipe', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const read = readFile(path, 'utf8');
  await files.checkWritable(path);
  await files.writeText(path, 'the report');
  expect(await read).toBe('the report');
  expect(lstatSync(path).isFIFO()).toBe(true);
});

test('writes to a pseudo-terminal behind a link', async () => {
  const path = join(folder, 'terminal');
  const terminal = spawn('script', ['-qec', 'tty; read line', join(folder, 'typescript')]);
  try {
    let shown = '';
    const waitFor = (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const check = () => {
          const found = pattern.exec(shown)?.[0];
          if (found !== undefined) resolve(found);
        };
        terminal.stdout.on('data', check);
        check();
      });
    terminal.stdout.on('data', (data) => {
      shown += String(data);
    });
    symlinkSync(await waitFor(/\/dev\/pts\/\d+(?=\s)/), path);
    await files.checkWritable(path);
    await files.writeText(path, 'the report');
    expect(await waitFor(/the report/)).toBe('the report');
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  } finally {
    terminal.kill('SIGKILL');
  }
});

test('reports that the path is a folder, or that its folder does not exist', async () => {
  await expect(files.checkWritable(folder)).rejects.toThrow('is a folder');
  await expect(files.writeText(join(folder, 'none', 'x'), '')).rejects.toThrow(
    'is in a folder that does not exist',
  );
});
