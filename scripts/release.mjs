// `npm run release -- 0.2.0`: sets the version, closes the changelog section, checks the package, writes it and an
// SBOM, commits and tags. It pushes and publishes nothing. `--verify vX.Y.Z`, for CI, does everything except the
// version, the commit and the tag, and writes the release notes. `--dry-run` changes nothing and prints what it would
// do. `--edge-bundle` only keeps the bundle that the next release is tested beside.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const UNRELEASED = '## [Unreleased]';
/** A release would be useless without these. */
const NEEDED = ['dist/sonde.js', 'dist/types/index.d.ts', 'README.md', 'CHANGELOG.md', 'docs/OPERATIONS.md'];

/** @param {string} command @param {readonly string[]} args @returns {string} */
const run = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

/** Returns the section of a version, without its heading. @param {string} changelog @param {string} heading */
export function sectionOf(changelog, heading) {
  const start = changelog.indexOf(heading);
  if (start < 0) return undefined;
  const from = changelog.indexOf('\n', start) + 1;
  const next = changelog.indexOf('\n## [', from);
  return changelog.slice(from, next < 0 ? undefined : next).trim();
}

/** @param {string} changelog @param {string} version @param {string} date */
export function closeSection(changelog, version, date) {
  if (!sectionOf(changelog, UNRELEASED)) fail('CHANGELOG.md has nothing under Unreleased');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`);
}

function pack() {
  const [packed] = JSON.parse(run('npm', ['pack', '--json']).replace(/^[^[]*/, ''));
  const files = packed.files.map((/** @type {{ path: string }} */ { path }) => path);
  const missing = NEEDED.filter((name) => !files.includes(name));
  if (missing.length > 0) fail(`the package lacks ${missing.join(', ')}`);
  return packed.filename;
}

/**
 * Lists what an installation contains: the dependencies, and the packages bundled into the program and the dashboard, which npm
 * knows only as development dependencies.
 * @param {string} version
 */
function writeSbom(version) {
  const sbom = JSON.parse(
    run('npm', ['sbom', '--workspaces=false', '--sbom-format', 'cyclonedx', '--package-lock-only']),
  );
  const titles = readFileSync('dist/LICENSES.txt', 'utf8').matchAll(/^# (\S+ \S+) \(/gm);
  const bundled = new Set([...titles].map(([, title]) => title));
  /** @param {{ name: string, version: string, properties: readonly { name: string }[] }} component */
  const isInstalled = ({ name, version, properties }) =>
    bundled.has(`${name} ${version}`) ||
    properties.every((property) => property.name !== 'cdx:npm:package:development');
  sbom.components = sbom.components.filter(isInstalled);
  const refs = new Set(
    [sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']),
  );
  sbom.dependencies = sbom.dependencies
    .filter((/** @type {{ ref: string }} */ { ref }) => refs.has(ref))
    .map((/** @type {{ ref: string, dependsOn: readonly string[] }} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((name) => refs.has(name)),
    }));
  const name = `sonde-${version}.sbom.json`;
  writeFileSync(name, JSON.stringify(sbom, null, 2));
  return name;
}

/** From now on tests run today's code alongside this release: docs/decisions/edge.md, 0107. */
function keepEdgeBundle() {
  run('node', ['scripts/build-edge.mjs']);
  const bundle = readFileSync('dist/edge/worker/worker.js');
  writeFileSync('test/fixtures/edge-before.js.gz', gzipSync(bundle, { level: 9 }));
}

/** @param {string} tag */
function verify(tag) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (tag !== `v${version}`) fail(`the tag is ${tag}, the version ${version}`);
  const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), `## [${version}]`);
  if (!notes) fail(`CHANGELOG.md has no section for ${version}`);
  writeFileSync('release-notes.md', `${notes}\n`);
  console.log(`${pack()}, ${writeSbom(version)}, release-notes.md`);
}

/** All packages have the version of the root. @param {string} version */
function setWorkspaceVersions(version) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const name of readdirSync('packages')) {
    const file = `packages/${name}/package.json`;
    writeFileSync(file, indented({ ...JSON.parse(readFileSync(file, 'utf8')), version }));
    lock.packages[`packages/${name}`].version = version;
  }
  writeFileSync('package-lock.json', indented(lock));
}

/** @param {unknown} value */
const indented = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @param {string} version @param {boolean} dryRun */
function release(version, dryRun) {
  if (!SEMVER.test(version)) fail(`${version} is not a version such as 0.2.0`);
  if (run('git', ['status', '--porcelain']).trim() !== '' && !dryRun)
    fail('commit or stash your changes first');
  if (run('git', ['tag', '--list', `v${version}`]).trim() !== '') fail(`the tag v${version} exists`);
  const date = new Date().toISOString().slice(0, 10);
  const changelog = closeSection(readFileSync('CHANGELOG.md', 'utf8'), version, date);
  if (dryRun) return console.log(`would release ${version}:\n\n${sectionOf(changelog, `## [${version}]`)}`);
  writeFileSync('CHANGELOG.md', changelog);
  run('npm', ['version', version, '--no-git-tag-version']);
  setWorkspaceVersions(version);
  keepEdgeBundle();
  console.log(`${pack()}, ${writeSbom(version)}`);
  run('git', ['commit', '-am', `Release ${version}`]);
  run('git', ['tag', '-a', `v${version}`, '-m', `Release ${version}`]);
  console.log(`tagged v${version}; publish it with: git push --follow-tags`);
}

const [first, second] = process.argv.slice(2).filter((arg) => arg !== '--dry-run');
const dryRun = process.argv.includes('--dry-run');
if (first === '--verify') verify(second ?? '');
else if (first === '--edge-bundle') keepEdgeBundle();
else if (first === undefined) fail('say which version: npm run release -- 0.2.0');
else release(first, dryRun);
