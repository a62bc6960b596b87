/**
 * The packed package in an empty project, beside the packages that it declares and no others: its files, its types under
 * `strict`, its exports and its CLI.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedAs } from '../../scripts/package-names.mjs';
import { blocksOf, PACKAGES, PAGES } from '../support/doc-pages.js';
import { findNodes, NODE_MAJORS } from '../support/find-nodes.js';
import { listenHttp } from '../support/listen.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MINUTES = 60_000;
const project = mkdtempSync(join(tmpdir(), 'sonde-package-'));
const installedFolder = join(project, 'node_modules', 'sonde');
let files: string[] = [];
/** The compiler's output for the program that the tests run. */
let compiled = '';

const call = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(() => {
  const [packed] = JSON.parse(
    call('npm', ['pack', '--json', '--pack-destination', project]).replace(/^[^[]*/, ''),
  ) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  mkdirSync(installedFolder, { recursive: true });
  call('tar', ['-xzf', join(project, packed.filename), '--strip-components=1', '-C', installedFolder]);
  const { dependencies } = JSON.parse(readFileSync(join(installedFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // The last ones are what else a user's TypeScript project has.
  for (const name of [
    ...Object.keys(dependencies),
    '@types/node',
    '@cloudflare/workers-types',
    ...PACKAGES,
  ]) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), place);
  }
  cpSync(join(ROOT, 'test/fixtures/package/program.ts'), join(project, 'program.ts'));
  compiled = compile(['program.ts'], { noUncheckedIndexedAccess: true, skipLibCheck: false });
}, 10 * MINUTES);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('contains every export with its types, the docs, the schema and the migrations', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: unknown };
  const targets = [...JSON.stringify(exports).matchAll(/"\.\/(dist\/[^"]+)"/g)].map((match) => match[1]);
  expect(targets.length).toBeGreaterThan(15);
  expect(targets.filter((target) => !files.includes(target ?? ''))).toEqual([]);
  for (const name of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'dist/sonde.js',
    'dist/LICENSES.txt',
    'dist/document-worker.js',
    'docs/OPERATIONS.md',
    'docs/man/sonde.1',
    'examples/chat/server.mjs',
    'ops/grafana-dashboard.json',
    'docs/findings/status-mismatch.md',
    'schema/sonde.config.schema.json',
  ])
    expect(files).toContain(name);
  // Of more than 1,000 files, those that a public export can reach.
  expect(files.filter((name) => name.endsWith('.d.ts')).length).toBeLessThanOrEqual(160);
  expect(files.some((name) => name.startsWith('migrations/'))).toBe(true);
  expect(files.filter((name) => /^(?:src|test|node_modules|sonde-data)\/|tsbuildinfo/.test(name))).toEqual(
    [],
  );
});

test('carries the licences of the packages inside the program and the dashboard', () => {
  const licences = readFileSync(join(installedFolder, 'dist', 'LICENSES.txt'), 'utf8');
  for (const name of ['hono', 'jose', 'react', 'swagger-ui-dist']) expect(licences).toContain(`\n# ${name} `);
});

test('installs at most 40 packages', () => {
  const installed = call('npm', ['ls', '--workspaces=false', '--omit', 'dev', '--all', '--parseable'])
    .trim()
    .split('\n')
    .slice(1);
  expect(installed).toContain(join(ROOT, 'node_modules', 'undici'));
  expect(installed.length).toBeLessThanOrEqual(40);
});

test('the client is also a package of its own, which installs nothing else', () => {
  const { version, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const folder = join(ROOT, 'packages', 'client');
  const written = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(written).toMatchObject({ ...namedAs('client'), version, peerDependencies });
  const alone = mkdtempSync(join(tmpdir(), 'sonde-client-'));
  const inside = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: alone, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    writeFileSync(join(alone, 'package.json'), '{"type":"module","private":true}');
    const [packed] = JSON.parse(
      call('npm', ['pack', '--json', '--pack-destination', alone, folder]).replace(/^[^[]*/, ''),
    ) as [{ filename: string; files: { path: string }[] }];
    expect(packed.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/ai-sdk.d.ts']),
    );
    inside('npm', 'install', '--offline', '--ignore-scripts', `./${packed.filename}`);
    expect(inside('npm', 'ls', '--all', '--parseable').trim().split('\n').slice(1)).toEqual([
      join(realpathSync(alone), 'node_modules', written.name),
    ]);
    const program = `const { durableFetch } = await import('${written.name}');
const { DurableChatTransport } = await import('${written.name}/ai-sdk');
process.stdout.write([typeof durableFetch, typeof DurableChatTransport].join());`;
    expect(inside(process.execPath, '--input-type=module', '--eval', program)).toBe('function,function');
    writeFileSync(join(alone, 'program.ts'), `export { durableFetch } from '${written.name}';\n`);
    const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'ES2023,DOM', '--types', ''];
    expect(inside(process.execPath, compiler, ...options, 'program.ts')).toBe('');
  } finally {
    rmSync(alone, { recursive: true, force: true });
  }
});

test('type-checks a strict program against every export', () => {
  expect(compiled).toBe('');
});

test(
  'type-checks the Worker that calls an object of `sonde/edge`',
  () => {
    cpSync(join(ROOT, 'examples/pair-object/worker.ts'), join(project, 'pair-object.ts'));
    const options = {
      types: ['@cloudflare/workers-types'],
      lib: ['ES2023'],
      noEmit: true,
      skipLibCheck: true,
    };
    expect(compile(['pair-object.ts'], options)).toBe('');
  },
  MINUTES,
);

test(
  'type-checks every program of the documentation and of the examples',
  () => {
    const shown = PAGES.flatMap(blocksOf).filter(({ language }) => language === 'ts');
    expect(shown.length).toBeGreaterThan(9);
    const names = shown.map(({ text }, n) => {
      writeFileSync(join(project, `shown-${n}.ts`), `${text}\nexport {};\n`);
      return `shown-${n}.ts`;
    });
    for (const name of ['chat/server.mjs', 'worker/worker.ts']) {
      cpSync(join(ROOT, 'examples', name), join(project, basename(name)));
      names.push(basename(name));
    }
    // The SDKs' own declarations are not checked; those of Sonde are checked above.
    expect(compile(names, { allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true })).toBe('');
  },
  5 * MINUTES,
);

/** Returns the compiler's complaints. */
function compile(names: readonly string[], options: Readonly<Record<string, boolean | string[]>>): string {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: ['node'],
    ...options,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }));
  return run(process.execPath, [join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc'), '-p', project]);
}

function run(node: string, args: readonly string[]): string {
  try {
    return execFileSync(node, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

const nodes = findNodes();

test.each(nodes)('the command line and every export run on Node $major', async ({ path }) => {
  const server = await listenHttp((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title><p>hello');
  });
  try {
    const version = run(path, [join(installedFolder, 'dist', 'sonde.js'), '--version']).trim();
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
      verdict: 'fail',
      explained: true,
      pairKey: 40,
      net: true,
      client: ['function', 'function', 'function'],
    });
  } finally {
    await server.close();
  }
});

const missing = NODE_MAJORS.filter((major) => !nodes.some((node) => node.major === major));
if (missing.length > 0) {
  test(`skipped, neither installed nor available from npm: Node ${missing.join(', ')}`, () => {
    expect(nodes).not.toEqual([]);
  });
}
