// `npm run mutants -- PART` makes one change at a time in the changed files of a part and runs the tests that reach it
// until one fails. A surviving change is a behaviour that no test covers. `--sample 60` takes that many mutants of the
// whole part instead (`--seed 2` takes others), `--file src/net/policy.ts` or `--file src/net/policy.ts:110` those of
// one file or line.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepFilesInMemory } from './memory-folder.mjs';
import { EQUIVALENT } from './mutants/equivalent-mutants.mjs';
import { listMutants } from './mutants/list-mutants.mjs';
import { PARTS } from './mutants/parts.mjs';
import { openTestRunner } from './mutants/test-runner.mjs';

/** @typedef {import('./mutants/list-mutants.mjs').Mutant} Mutant */
/** @typedef {import('./mutants/test-runner.mjs').TestRunner} TestRunner */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SHOWN_CHARS = 160;
// Waiting for the disk took two thirds of the time of tests with stores.
keepFilesInMemory();

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(2);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, file: { type: 'string' } },
  });
  const [name = ''] = positionals;
  const part = PARTS[name];
  if (!part || positionals.length > 1) {
    return refuse(`Name one part to mutate. There are: ${Object.keys(PARTS).join(', ')}.`);
  }
  const sample = values.sample === undefined ? undefined : Number(values.sample);
  const seed = Number(values.seed);
  if (![sample ?? 1, seed].every((number) => Number.isSafeInteger(number) && number > 0)) {
    return refuse('--sample and --seed take whole numbers above 0.');
  }
  return { name, part, sample, seed, only: values.file };
}

/** @param {import('./mutants/parts.mjs').Part} part @returns {string[]} */
function sourcesOf({ sources, except = [] }) {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .filter((file) => sources.some((each) => file.startsWith(each)))
    .filter((file) => !except.some((each) => file.startsWith(each)))
    .sort();
}

/** @returns {Set<string>} files that differ from the point where this branch left main */
function changedFiles() {
  /** @param {...string} args */
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const [base = ''] = git('merge-base', 'main', 'HEAD');
  return new Set([
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard', 'src'),
  ]);
}

/** @param {ReturnType<typeof readArguments>} options @returns {Mutant[]} */
function chooseMutants({ name, part, sample, seed, only }) {
  const [onlyFile, onlyLine] = (only ?? '').split(':');
  const changed = sample === undefined && only === undefined ? changedFiles() : undefined;
  const files = sourcesOf(part).filter((file) =>
    onlyFile ? file === onlyFile : changed?.has(file) !== false,
  );
  if (files.length === 0) {
    return refuse(
      only === undefined
        ? `No file of ${name} differs from main. To judge the whole part, add --sample 60.`
        : `${onlyFile} is not a source file of ${name}.`,
    );
  }
  const all = files.flatMap((file) => listMutants(file, readFileSync(join(root, file), 'utf8')));
  const keys = new Set(all.map(({ key }) => key));
  for (const key of EQUIVALENT.keys()) {
    const isOfThese = files.some((file) => key.startsWith(`${file} `));
    if (isOfThese && !keys.has(key)) console.error(`equivalent-mutants.mjs: ${key} is not needed`);
  }
  const mutants = all
    .filter(({ key }) => !EQUIVALENT.has(key))
    .filter(({ line }) => onlyLine === undefined || line === Number(onlyLine));
  return sample === undefined ? mutants : shuffle(mutants, seed).slice(0, sample);
}

/** @template T @param {readonly T[]} items @param {number} seed @returns {T[]} in an order derived from the seed */
function shuffle(items, seed) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** @param {Mutant} mutant @param {string} verdict */
function show({ file, line, change }, verdict) {
  const text = change.length > SHOWN_CHARS ? `${change.slice(0, SHOWN_CHARS)}…` : change;
  console.log(`${verdict}  ${file}:${line}  ${text}`);
}

/** @param {TestRunner} runner @param {readonly Mutant[]} mutants */
async function judge(runner, mutants) {
  const reached = await runner.measure(mutants);
  const counts = { killed: 0, timedOut: 0, unreached: 0 };
  /** @type {Mutant[]} */
  const survivors = [];
  for (const [index, mutant] of mutants.entries()) {
    const tests = reached[index] ?? [];
    const { outcome, by } =
      tests.length === 0 ? { outcome: 'unreached', by: '' } : await runner.run(mutant, tests);
    if (outcome === 'survived' || outcome === 'unreached') survivors.push(mutant);
    else counts.killed++;
    if (outcome === 'timed out') counts.timedOut++;
    if (outcome === 'unreached') counts.unreached++;
    show(mutant, `${index + 1}/${mutants.length} ${outcome}${by === '' ? '' : ` by ${by}`}`);
  }
  return { counts, survivors };
}

async function main() {
  const options = readArguments();
  const { name, part } = options;
  const mutants = chooseMutants(options);
  const runner = await openTestRunner(root, part.tests);
  // Otherwise the tests' database server would outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void runner.close().finally(() => process.exit(130)));
  }
  try {
    const { counts, survivors } = await judge(runner, mutants);
    const percent = (100 * counts.killed) / Math.max(1, mutants.length);
    console.log('\nSurvivors:');
    for (const mutant of survivors) console.log(`  ${mutant.file}:${mutant.line}\n    ${mutant.key}`);
    console.log(
      `\n${name}: ${counts.killed} of ${mutants.length} mutants killed (${percent.toFixed(1)} %, bar ${part.barPercent} %), ` +
        `${counts.timedOut} of them by time-out; ${survivors.length} survived, ${counts.unreached} of them reached by no test`,
    );
    if (percent < part.barPercent) process.exitCode = 1;
  } finally {
    await runner.close();
  }
}

await main();
