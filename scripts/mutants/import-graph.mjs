// Finds the test files that load a source file, by their import statements.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** @type {Map<string, string[]>} */
const direct = new Map();

/** @param {string} file @returns {string[]} the files of this repository that it imports */
function importsOf(file) {
  const known = direct.get(file);
  if (known) return known;
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  const found = importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file), name.replace(/\.js$/, '.ts')))
    .filter((path) => /\.(ts|mjs)$/.test(path) && existsSync(path));
  direct.set(file, found);
  return found;
}

/** @param {string} file absolute @returns {Set<string>} everything that is loaded with it, including itself */
export function loadedWith(file) {
  const loaded = new Set([file]);
  for (const each of loaded) for (const next of importsOf(each)) loaded.add(next);
  return loaded;
}
