// Bundles dashboard/ into dist/dashboard/ with Vite, when a source is newer than the last build.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
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
    if (entry.isFile()) inputs.push(join(entry.parentPath, entry.name));
  }
  return inputs.some((file) => existsSync(file) && statSync(file).mtimeMs > builtAt);
}

/** @returns {Promise<void>} */
export async function buildDashboard() {
  const { build } = await import('vite');
  await build({ configFile: join(folder, 'vite.config.ts'), root: folder, logLevel: 'warn' });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

/** @returns {Promise<void>} */
export async function buildDashboardIfStale() {
  if (isDashboardStale()) await buildDashboard();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildDashboard();
