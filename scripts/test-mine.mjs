// `npm run test:mine`: the tests that a change against main reaches, and those that compare the whole program with a
// list, which no import leads to.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const REACHED = ['unit', 'dashboard', 'contract', 'simulation', 'node'].flatMap((name) => [
  '--project',
  name,
]);
const LISTS = [
  'test/engines/every-route.test.ts',
  'test/engines/every-route-secrets.test.ts',
  'test/engines/docs.test.ts',
  'test/engines/reference.test.ts',
  'test/faults/compare.test.ts',
];

/** @param {readonly string[]} args @returns {boolean} */
function run(args) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return spawnSync(process.execPath, [vitest, 'run', ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}

const hasPassed = [run(['--changed', 'main', '--passWithNoTests', ...REACHED]), run(LISTS)];
console.error('npm run test:all runs the rest, which is due before a change is merged.');
process.exitCode = hasPassed.every(Boolean) ? 0 : 1;
