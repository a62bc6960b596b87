// Copies the declarations that a public export can reach from dist/projects, where the compiler writes those of every
// file, to dist/types, which is published. A user's editor then neither indexes nor offers the rest. Those of the client
// are also those of its own package.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const published = join(root, 'dist', 'types');
const compiled = join(root, 'dist', 'projects');

/** @returns {string[]} the declarations that package.json names */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = JSON.stringify(exports).matchAll(/"\.\/dist\/types\/([^"]+)"/g);
  return [...named].map(([, file = '']) => join(compiled, file));
}

/** @param {string} file @returns {string[]} the declarations of this package that it imports */
function importsOf(file) {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g);
  return [...specifiers].map(([, path = '']) => resolve(dirname(file), `${path}.d.ts`));
}

const reached = new Set(entries());
for (const file of reached) for (const imported of importsOf(file)) reached.add(imported);

rmSync(published, { recursive: true, force: true });
for (const file of reached) {
  const target = join(published, relative(compiled, file));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
}
cpSync(join(published, 'client'), join(root, 'packages', 'client', 'dist'), { recursive: true });
console.log(`${reached.size} declarations`);
