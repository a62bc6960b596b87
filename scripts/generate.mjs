// `npm run generate` writes every tracked file that is derived from the code: reference, findings, audit rules, the
// schema of the configuration file, the picture in the README and the golden files. Read what changed before you commit
// it. `--check` writes nothing and fails if a file is not up to date; `npm run check` runs that.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, isStale } from './build.mjs';
import { demoImage } from './generate/demo-image.mjs';
import { loadSources } from './generate/load-sources.mjs';
import { referencePages } from './generate/reference-pages.mjs';
import { rulePages } from './generate/rule-pages.mjs';
import { documentOfBuiltServer } from './write-dashboard-types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders that contain generated files only. */
const GENERATED = ['docs/reference', 'docs/findings', 'docs/audit-rules', 'test/golden/compare'];

/** Tests whose file snapshots are golden files. The tests themselves check that they are up to date. */
const SNAPSHOT_TESTS = [
  'src/audits/report/render-report.test.ts',
  'src/compare/rules/finding-matrix.test.ts',
  'test/conformance/suite-goldens.test.ts',
];

/** @returns {Promise<Map<string, string>>} the text of each file by its path */
async function generatedFiles() {
  const code = await loadSources();
  return new Map([
    ...referencePages(code, await documentOfBuiltServer()),
    ...inFolder('docs/findings', code.findingPages()),
    ...inFolder('docs/audit-rules', rulePages(code)),
    ...inFolder('test/golden/compare', goldenDiffs(code)),
    ['schema/sonde.config.schema.json', `${JSON.stringify(code.configSchema(), null, 2)}\n`],
  ]);
}

/** @param {string} folder @param {Iterable<[string, string]>} files @returns {[string, string][]} */
const inFolder = (folder, files) => [...files].map(([name, text]) => [`${folder}/${name}`, text]);

/** Returns each pair's envelopes, and the bytes of its diff. @param {Record<string, any>} code */
function goldenDiffs({ GOLDEN_PAIRS, computeDiff, serializeDiff }) {
  return Object.entries(GOLDEN_PAIRS).flatMap(([name, pair]) => [
    /** @type {[string, string]} */ ([`${name}.json`, `${JSON.stringify(pair)}\n`]),
    /** @type {[string, string]} */ ([
      `${name}.diff.json`,
      `${serializeDiff(computeDiff(pair.left, pair.right))}\n`,
    ]),
  ]);
}

/** @param {ReadonlyMap<string, string>} files @returns {string[]} paths of files that nothing generates any more */
function leftovers(files) {
  return GENERATED.flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [],
  ).filter((path) => !files.has(path));
}

/** @param {ReadonlyMap<string, string>} files */
function check(files) {
  const differing = [...files].filter(([path, text]) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  for (const path of [...differing.map(([path]) => path), ...leftovers(files)]) {
    console.error(`${path} is not up to date: run npm run generate`);
    process.exitCode = 1;
  }
}

/** @param {ReadonlyMap<string, string>} files */
function write(files) {
  for (const path of leftovers(files)) rmSync(join(root, path));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeImage(join(root, 'docs/images/demo.svg'), demoImage());
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...SNAPSHOT_TESTS, '--update'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

/** How much a finding explains depends on the speed of the machine. @param {string} path @param {string} image */
function writeImage(path, image) {
  const lasting = (/** @type {string} */ text) => text.replaceAll(/explains \d+ more/g, '');
  if (lasting(readFileSync(path, 'utf8')) !== lasting(image)) writeFileSync(path, image);
}

if (isStale()) await build();
const files = await generatedFiles();
if (process.argv.includes('--check')) check(files);
else write(files);
