/**
 * Checks the tests that a document names: in a table, a file in code marks followed by titles in “quotation marks”.
 * Each must exist and run, so that a table cannot outlive the tests that support it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;

export interface ShownRow {
  readonly id: string;
  readonly tests: readonly { readonly file: string; readonly titles: readonly string[] }[];
}

/** Reads the table rows of a document: the first cell is an id, the last one names tests. */
export function readShownRows(document: string): readonly ShownRow[] {
  const lines = readFileSync(join(ROOT, document), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('| ') && !/^\| (?:#|-)/.test(line));
  return rows.map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    return { id: cells[1] ?? '', tests: readTests(cells.at(-2) ?? '') };
  });
}

function readTests(cell: string): ShownRow['tests'] {
  return [...cell.matchAll(/`([^`]+)`([^`]*)/g)].map(([, file = '', rest = '']) => ({
    file,
    titles: [...rest.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));
}

/** Returns what is wrong with the tests of a row; empty if all of them exist and run. */
export function faultsOf({ id, tests }: ShownRow): readonly string[] {
  if (tests.length === 0) return [`${id}: no test is named`];
  return tests.flatMap(({ file, titles }) => {
    if (!existsSync(join(ROOT, file))) return [`${id}: there is no ${file}`];
    if (titles.length === 0) return [`${id}: no title of ${file} is named`];
    const source = readFileSync(join(ROOT, file), 'utf8');
    const missing = titles.filter((title) => !hasTitle(source, title));
    return [
      ...missing.map((title) => `${id}: ${file} has no test “${title}”`),
      ...(isRun(file) ? [] : [`${id}: no test file runs ${file}`]),
    ];
  });
}

function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((mark) => {
    const text = title.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`);
    return source.includes(`${mark}${text}${mark},`);
  });
}

/** A suite that several engines run has its own file, which a test file imports. */
function isRun(file: string): boolean {
  if (file.endsWith('.test.ts')) return true;
  const name = file.replace(/^.*\//, '').replace(/\.ts$/, '.js');
  return sources().some((other) => {
    if (other === file || !readFileSync(join(ROOT, other), 'utf8').includes(`/${name}'`)) return false;
    return isRun(other);
  });
}

let known: readonly string[] | undefined;
function sources(): readonly string[] {
  known ??= readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `test/${file}`);
  return known;
}
