import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CommitMark, type Mark } from './commit-mark.js';
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
  return { path, mark: new CommitMark(path), found: () => new CommitMark(path).found };
}

const MARKS: readonly Mark[] = [
  { kind: 'written', ...KEY, tail: { chunk: 3, position: 4_194_303 }, closed: false },
  {
    kind: 'written',
    id: 'default/ö with  spaces\n',
    life: 'l2',
    tail: { chunk: 0, position: 0 },
    closed: true,
  },
  { kind: 'removed', id: `default/${'é'.repeat(1_000)}`, life: 'l3' },
  { kind: 'none' },
  { kind: 'restored' },
];

test.each(MARKS)('round-trips %j', (given) => {
  const { mark, found } = openMark();
  mark.write(given);
  expect(found()).toEqual(given);
});

test('falls back to the previous mark if the last one is torn, and to none in another file', () => {
  const { path, mark, found } = openMark();
  const [first, second] = MARKS as [Mark, Mark];
  mark.write(first);
  mark.write(second);
  const bytes = readFileSync(path);
  writeSync(openSync(path, 'r+'), 'torn', bytes.indexOf('spaces'));
  expect(found()).toEqual(first);
  writeFileSync(path, '0badf00d {"number":1,"mark":{"kind":"none"}}\n');
  expect(found()).toBeUndefined();
});

test('finds the last write after a restart', () => {
  const { mark, found } = openMark();
  mark.note([CREATE], [CREATED]);
  expect(found()).toMatchObject({ kind: 'written', ...KEY });
});

test('clears the mark while its stream is being removed, so that a crash causes no false alarm', () => {
  const { mark, found } = openMark();
  mark.note([CREATE], [CREATED]);
  mark.clearIfRemoved([remove('default/b')]);
  expect(found()).toMatchObject({ kind: 'written', ...KEY });
  mark.clearIfRemoved([remove(KEY.id)]);
  expect(found()).toEqual({ kind: 'none' });
  mark.note([remove(KEY.id)], [{ value: { kept: false } } as unknown as StoreResult]);
  expect(found()).toEqual({ kind: 'removed', ...KEY });
});
