/** The packed package, installed into an empty project: its files, its types under `strict`, its exports and its CLI. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNodes } from '../support/find-nodes.js';
import { listenHttp } from '../support/listen.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MINUTES = 60_000;
const project = mkdtempSync(join(tmpdir(), 'sonde-package-'));
const installedFolder = join(project, 'node_modules', 'sonde');
let files: string[] = [];

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(() => {
  const [packed] = JSON.parse(
    npm(['pack', '--json', '--pack-destination', project], ROOT).replace(/^[^[]*/, ''),
  ) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  npm(['install', '--prefer-offline', '--ignore-scripts', join(project, packed.filename)], project);
  // What a TypeScript project of a user has besides.
  for (const name of ['@types/node', 'ai', 'typescript']) {
    mkdirSync(join(project, 'node_modules', '@types'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  cpSync(join(ROOT, 'test/fixtures/package/program.ts'), join(project, 'program.ts'));
}, 10 * MINUTES);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('holds every export with its types, the docs, the schema and the migrations', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: unknown };
  const targets = [...JSON.stringify(exports).matchAll(/"\.\/(dist\/[^"]+)"/g)].map((match) => match[1]);
  expect(targets.length).toBeGreaterThan(15);
  expect(targets.filter((target) => !files.includes(target ?? ''))).toEqual([]);
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'dist/sonde.js', 'dist/document-worker.js'])
    expect(files).toContain(name);
  for (const name of [
    'docs/OPERATIONS.md',
    'docs/findings/status-mismatch.md',
    'schema/sonde.config.schema.json',
  ])
    expect(files).toContain(name);
  expect(files.some((name) => name.startsWith('migrations/'))).toBe(true);
  expect(files.filter((name) => /^(?:src|test|node_modules|sonde-data)\/|tsbuildinfo/.test(name))).toEqual(
    [],
  );
});

test(
  'type-checks a strict program against every export',
  () => {
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      module: 'nodenext',
      target: 'es2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(run(process.execPath, [tsc, '-p', project])).toBe('');
  },
  5 * MINUTES,
);

function run(node: string, args: readonly string[]): string {
  try {
    return execFileSync(node, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

test(
  'runs on every supported version of Node',
  async () => {
    const server = await listenHttp((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title><p>hello');
    });
    try {
      for (const { major, path } of findNodes()) {
        const version = run(path, [join(installedFolder, 'dist', 'sonde.js'), '--version']).trim();
        expect([major, version]).toEqual([major, '0.1.0']);
        const { promisify } = await import('node:util');
        const { execFile } = await import('node:child_process');
        const { stdout } = await promisify(execFile)(path, ['program.js', server.origin], { cwd: project });
        expect(JSON.parse(stdout)).toEqual({
          version,
          port: 4747,
          known: true,
          error: 'USAGE',
          bytes: 43,
          envelope: 1,
          compared: 'pass',
          steps: ['1/2 /', '2/2 /other'],
          audited: true,
          percent: 100,
          refused: 'ssrf_blocked',
          aborted: 'AbortError',
          client: ['function', 'function', 'function'],
        });
      }
    } finally {
      await server.close();
    }
  },
  10 * MINUTES,
);
