/** Documents that list fixed faults name tests that exist and run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultsOf, readShownRows } from '../support/named-tests.js';

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);

/** The numbers that each document has to cover; a number with several parts has a letter for each. */
const DOCUMENTS = {
  'docs/decisions/0019-faults-of-the-first-job-design.md': [
    ...numbered('S', 10),
    ...[...'abcde'].map((part) => `S11${part}`),
    ...[...'ab'].map((part) => `S12${part}`),
    ...numbered('A', 8),
    ...numbered('B', 9),
  ],
  'docs/decisions/0025-faults-of-the-first-comparison.md': [
    ...numbered('W', 15),
    ...numbered('X', 8),
    ...numbered('T', 12),
  ],
  'docs/decisions/0068-faults-of-time-and-fairness.md': [
    ...numbered('D', 10),
    ...[...'abcde'].map((part) => `D11${part}`),
    ...numbered('E', 8),
  ],
  'docs/decisions/0130-faults-of-operation.md': [
    ...numbered('F', 10),
    ...numbered('G', 5),
    ...numbered('B', 13),
  ],
};

describe.each(Object.entries(DOCUMENTS))('%s', (document, ids) => {
  const rows = readShownRows(document);

  test('has a row for every fault, once', () => {
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  test.each(rows.map((row) => [row.id, row] as const))('%s names tests that exist and run', (_id, row) => {
    expect(faultsOf(row)).toEqual([]);
  });
});

test('reports a wrong file, title or id', () => {
  const row = (file: string, ...titles: string[]) => faultsOf({ id: 'X', tests: [{ file, titles }] });
  const file = 'test/conformance/shown-faults.test.ts';
  expect(row(file, 'reports a wrong file, title or id')).toEqual([]);
  expect(row(file, 'nothing of the kind')).toEqual([`X: ${file} has no test “nothing of the kind”`]);
  expect(row('test/nowhere.test.ts', 'a')).toEqual(['X: there is no test/nowhere.test.ts']);
  expect(row(file)).toEqual([`X: no title of ${file} is named`]);
  expect(faultsOf({ id: 'X', tests: [] })).toEqual(['X: no test is named']);
});

test('every test file named in the list of promises exists', () => {
  const root = new URL('../../', import.meta.url);
  const named = readFileSync(new URL('docs/SPEC.md', root), 'utf8').matchAll(
    /`((?:src|test)\/[\w./*-]+\.ts)`/g,
  );
  const missing = [...new Set([...named].map(([, file = '']) => file))].filter((file) => {
    if (!file.includes('*')) return !existsSync(new URL(file, root));
    const folder = file.slice(0, file.lastIndexOf('/', file.indexOf('*')) + 1);
    const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
    return !names.some((name) => globPattern(file).test(`${folder}${name}`));
  });
  expect(missing).toEqual([]);
});

/** `*` matches part of a name, `**` any number of folders. */
function globPattern(glob: string): RegExp {
  const parts = { '.': '\\.', '**/': '(?:.*/)?', '*': '[^/]*' };
  return new RegExp(`^${glob.replace(/\.|\*\*\/|\*/g, (found) => parts[found as keyof typeof parts])}$`);
}
