import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OpenFiles } from './open-files.js';

let root: string;
let folder: string;
let at = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sonde-open-files-'));
  folder = join(root, 'data');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.db'), 'a');
  at = 0;
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const opened = () => new OpenFiles([join(folder, 'a.db')], () => at);

test('detects a removed file within a second', () => {
  const files = opened();
  files.check();
  rmSync(folder, { recursive: true });
  at += 1_000;
  expect(() => files.check()).toThrow(/a\.db is gone; nothing was acknowledged/);
  expect(() => files.check()).toThrow(/is gone/);
});

test('recovers when the folder comes back with the same files', () => {
  const files = opened();
  renameSync(folder, join(root, 'away'));
  at += 1_000;
  expect(() => files.check()).toThrow(/is gone/);
  renameSync(join(root, 'away'), folder);
  at += 1_000;
  files.check();
});

test('detects that another file replaced the open one', () => {
  const files = opened();
  renameSync(join(folder, 'a.db'), join(folder, 'b.db'));
  writeFileSync(join(folder, 'a.db'), 'a');
  at += 1_000;
  expect(() => files.check()).toThrow(/was replaced by another file/);
});
