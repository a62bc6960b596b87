// Bundles dashboard/ into dist/dashboard/ with Vite if a source is newer than the last build.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dashboard');
const stamp = join(root, 'dist', '.dashboard-built');

/** @returns {boolean} */
export function isDashboardStale() {
  if (!existsSync(stamp)) return true;
  const builtAt = statSync(stamp).mtimeMs;
  const inputs = [join(root, 'package-lock.json')];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // Declarations are not bundled, and those of the API are written again after each change of the server.
    if (entry.isFile() && !entry.name.endsWith('.d.ts')) inputs.push(join(entry.parentPath, entry.name));
  }
  return inputs.some((file) => existsSync(file) && statSync(file).mtimeMs > builtAt);
}

/** @returns {Promise<void>} */
export async function buildDashboard() {
  const { build } = await import('vite');
  // A test runner that finds the build stale sets another value, which would bundle React's development code.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await build({ configFile: join(folder, 'vite.config.ts'), root: folder, logLevel: 'warn' });
  if (before === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = before;
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

/** @returns {Promise<void>} */
export async function buildDashboardIfStale() {
  if (isDashboardStale()) await buildDashboard();
}

/** Returns the folders of the packages that the dashboard contains. @returns {string[]} */
export function foldersOfDashboard() {
  /** @type {{ name: string }[]} */
  const packages = JSON.parse(readFileSync(join(root, 'dist', 'dashboard', '.vite', 'license.json'), 'utf8'));
  return packages.map(({ name }) => `node_modules/${name}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildDashboard();
