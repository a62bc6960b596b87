/** `npm run release`, and what CI does with its tag, in a small repository with the real script, git and npm. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderWith } from './cli-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A probe.\n\n## [0.1.0] - 2026-01-01\n\n- Begun.\n';
const PACKED = ['dist/sonde.js', 'dist/types/index.d.ts', 'README.md', 'docs/OPERATIONS.md'];

const LICENSES = '# jose 6.2.17 (MIT)\n\nThe MIT License\n\n# yaml 2.9.1 (ISC)\n';

/** Creates everything that the script reads; the edge bundle is a file that its build writes. */
function repository() {
  const folder = folderWith();
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(ROOT, 'scripts/release.mjs'), join(folder, 'scripts/release.mjs'));
  write(
    'scripts/build-edge.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/edge/worker', { recursive: true });
writeFileSync('dist/edge/worker/worker.js', 'the bundle');`,
  );
  for (const path of PACKED) write(path, path);
  write('dist/LICENSES.txt', LICENSES);
  write('test/fixtures/edge-before.js.gz', '');
  write('CHANGELOG.md', CHANGELOG);
  write('.gitignore', '*.tgz\n*.sbom.json\nrelease-notes.md\ndist/edge\n');
  const packages = {
    dependencies: { undici: '7.30.2' },
    devDependencies: { jose: '6.2.17', vitest: '4.1.12' },
  };
  const manifest = {
    name: 'sonde',
    version: '0.1.0',
    type: 'module',
    files: ['dist', 'docs', 'CHANGELOG.md'],
    workspaces: ['packages/*'],
    ...packages,
  };
  const client = { name: 'sonde-client', version: '0.1.0' };
  write('packages/client/package.json', JSON.stringify(client, null, 2));
  write('package.json', JSON.stringify(manifest, null, 2));
  const lock = {
    name: 'sonde',
    version: '0.1.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'sonde', version: '0.1.0', ...packages },
      'packages/client': client,
      'node_modules/sonde-client': { resolved: 'packages/client', link: true },
      'node_modules/undici': { version: '7.30.2' },
      'node_modules/jose': { version: '6.2.17', dev: true },
      'node_modules/vitest': { version: '4.1.12', dev: true },
    },
  };
  write('package-lock.json', JSON.stringify(lock, null, 2));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folderWith(),
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'test'],
        [`GIT_${who}_EMAIL`, 'test@example.com'],
      ]),
    ),
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { folder, git, release, read };
}

test('sets the version, closes the changelog, packs, writes an SBOM, commits and tags', () => {
  const { folder, git, release, read } = repository();
  const dry = release('0.2.0', '--dry-run');
  expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining('- A probe.') });
  expect(git('status', '--porcelain')).toBe('');

  const done = release('0.2.0');
  expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('tagged v0.2.0')]);
  for (const file of ['package.json', 'packages/client/package.json'])
    expect(JSON.parse(read(file)).version).toBe('0.2.0');
  expect(read('CHANGELOG.md')).toMatch(
    /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A probe\./,
  );
  expect(existsSync(join(folder, 'sonde-0.2.0.tgz'))).toBe(true);
  const names = (...packages: string[]) => packages.map((name) => ({ name }));
  expect(JSON.parse(read('sonde-0.2.0.sbom.json'))).toMatchObject({
    bomFormat: 'CycloneDX',
    components: names('jose', 'undici'),
    dependencies: [{ dependsOn: ['undici@7.30.2', 'jose@6.2.17'] }, {}, {}],
  });
  expect(gunzipSync(readFileSync(join(folder, 'test/fixtures/edge-before.js.gz'))).toString()).toBe(
    'the bundle',
  );
  expect([git('tag'), git('log', '-1', '--format=%s'), git('status', '--porcelain')]).toEqual([
    'v0.2.0',
    'Release 0.2.0',
    '',
  ]);
  expect(release('--verify', 'v0.2.0').status).toBe(0);
  expect(read('release-notes.md')).toBe('### Added\n\n- A probe.\n');
});

test('refuses a wrong version, a dirty tree, an empty changelog, an incomplete package and another tag', () => {
  const { folder, git, release } = repository();
  const refused = (...args: string[]) => release(...args).stderr;
  expect(refused()).toContain('say which version');
  expect(refused('next')).toContain('next is not a version');
  expect(refused('--verify', 'v9.9.9')).toContain('the tag is v9.9.9, the version 0.1.0');
  writeFileSync(join(folder, 'README.md'), 'changed');
  expect(refused('0.2.0')).toContain('commit or stash');
  git('rm', '--quiet', '--force', 'dist/types/index.d.ts');
  git('commit', '--quiet', '--all', '--message', 'Lose a file');
  expect(refused('--verify', 'v0.1.0')).toContain('the package lacks dist/types/index.d.ts');
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG.replace('### Added\n\n- A probe.\n\n', ''));
  git('commit', '--quiet', '--all', '--message', 'Lose the changes');
  expect(refused('0.2.0')).toContain('nothing under Unreleased');
});

test('the release workflow verifies the tag, publishes with provenance and attaches the SBOM', () => {
  const { permissions, jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'));
  expect(permissions).toMatchObject({ 'id-token': 'write' });
  const commands = (jobs.release.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
  expect(commands).toEqual([
    '.ci/run',
    'node scripts/release.mjs --verify "$GITHUB_REF_NAME"',
    expect.stringContaining('npm config set'),
    'npm publish --provenance --access public',
    expect.stringContaining('sonde-*.tgz sonde-*.sbom.json --notes-file release-notes.md'),
  ]);
});
