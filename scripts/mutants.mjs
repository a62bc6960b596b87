// `npm run mutants` makes one small change at a time in the lines of src/ that differ from main, and runs the unit and
// contract tests that load the file until one fails. A change that survives is a behaviour that no test checks. Name
// files or lines to judge those instead: `npm run mutants -- src/net/policy.ts:110`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { keepFilesInMemory } from './memory-folder.mjs';
import { listMutants } from './mutants/list-mutants.mjs';
import { openMutantTests } from './mutants/mutant-tests.mjs';

/** @typedef {import('./mutants/list-mutants.mjs').Mutant} Mutant */
/** @typedef {(line: number) => boolean} Lines */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SHOWN_CHARS = 160;
// Waiting for the disk took two thirds of the time of tests with stores.
keepFilesInMemory();

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(2);
}

/** @param {string} file */
const isSource = (file) => /^src\/.*(?<!\.test|\.d)\.ts$/.test(file);

/** @param {...string} args @returns {string[]} */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** @returns {Map<string, Lines>} the lines that differ from the point where this branch left main */
function changedLines() {
  const [base = ''] = git('merge-base', 'main', 'HEAD');
  /** @type {Map<string, Lines>} */
  const lines = new Map();
  let file = '';
  for (const line of git('diff', '--unified=0', '--no-color', base, '--', 'src')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
    const [, from, count = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from === undefined) continue;
    const others = lines.get(file);
    const [first, end] = [Number(from), Number(from) + Number(count)];
    lines.set(file, (at) => (at >= first && at < end) || others?.(at) === true);
  }
  for (const added of git('ls-files', '--others', '--exclude-standard', 'src')) lines.set(added, () => true);
  return new Map([...lines].filter(([name]) => isSource(name)));
}

/** @param {readonly string[]} args `FILE` or `FILE:LINE` @returns {Map<string, Lines>} */
function namedLines(args) {
  return new Map(
    args.map((arg) => {
      const [file = '', only] = arg.split(':');
      if (!isSource(file) || !existsSync(join(root, file)))
        refuse(`${file} is not a source file below src/.`);
      return [file, (line) => only === undefined || line === Number(only)];
    }),
  );
}

/** @returns {Mutant[]} */
function chooseMutants() {
  const args = process.argv.slice(2);
  const lines = args.length > 0 ? namedLines(args) : changedLines();
  const mutants = [...lines].flatMap(([file, isChosen]) =>
    listMutants(file, readFileSync(join(root, file), 'utf8')).filter(({ line }) => isChosen(line)),
  );
  return mutants.length > 0 ? mutants : refuse('No line of src/ that could be mutated differs from main.');
}

/** @param {Mutant} mutant */
const shown = ({ file, line, change }) =>
  `${file}:${line}  ${change.length > SHOWN_CHARS ? `${change.slice(0, SHOWN_CHARS)}…` : change}`;

async function main() {
  const mutants = chooseMutants();
  const tests = await openMutantTests(root);
  // Otherwise the tests' database server would outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void tests.close().finally(() => process.exit(130)));
  }
  /** @type {Mutant[]} */
  const survivors = [];
  try {
    for (const [index, mutant] of mutants.entries()) {
      const outcome = await tests.judge(mutant);
      if (outcome !== 'killed' && outcome !== 'timed out') survivors.push(mutant);
      console.log(`${index + 1}/${mutants.length} ${outcome}  ${shown(mutant)}`);
    }
  } finally {
    await tests.close();
  }
  console.log(`\n${mutants.length - survivors.length} of ${mutants.length} mutants killed. Survivors:`);
  for (const mutant of survivors) console.log(`  ${shown(mutant)}`);
}

await main();
