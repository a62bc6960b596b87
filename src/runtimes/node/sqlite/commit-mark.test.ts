import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CommitMark } from './commit-mark.js';
import type { StoreCall, StoreResult } from './store-messages.js';

const KEY = { id: 'default/a', life: 'l1' };
const CREATE = { method: 'create', args: [{}] } as unknown as StoreCall;
const CREATED = {
  value: { created: true, state: { ...KEY, tail: { chunk: 0, position: 3 }, closed: false } },
} as unknown as StoreResult;
const remove = (id: string) => ({ method: 'remove', args: [{ ...KEY, id }] }) as unknown as StoreCall;

function openMark() {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-mark-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'mark');
  return { mark: new CommitMark(path), found: () => new CommitMark(path).found };
}

test('names the last write, across starts', () => {
  const { mark, found } = openMark();
  mark.note([CREATE], [CREATED]);
  expect(found()).toMatchObject({ kind: 'written', ...KEY });
});

test('names nothing while its stream is being removed, so that a crash then raises no alarm', () => {
  const { mark, found } = openMark();
  mark.note([CREATE], [CREATED]);
  mark.giveWay([remove('default/b')]);
  expect(found()).toMatchObject({ kind: 'written', ...KEY });
  mark.giveWay([remove(KEY.id)]);
  expect(found()).toEqual({ kind: 'none' });
  mark.note([remove(KEY.id)], [{ value: { kept: false } } as unknown as StoreResult]);
  expect(found()).toEqual({ kind: 'removed', ...KEY });
});
