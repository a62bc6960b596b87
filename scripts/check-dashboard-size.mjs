// Checks the compressed size of everything a browser loads before it draws the first page of the dashboard: the index,
// its script with all imports, the home page and the styles.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildDashboardIfStale } from './build-dashboard.mjs';

const FIRST_LOAD_BYTES_MAX = 190_000;
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'dashboard');

/** @typedef {Record<string, { file: string, imports?: string[], css?: string[] }>} Manifest */

/** @returns {{ files: string[], gzipBytes: number }} */
export function firstLoad() {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
  /** @type {Set<string>} */
  const files = new Set(['index.html']);
  /** @param {string} name */
  const take = (name) => {
    const entry = manifest[name];
    if (!entry || files.has(entry.file)) return;
    files.add(entry.file);
    for (const css of entry.css ?? []) files.add(css);
    for (const next of entry.imports ?? []) take(next);
  };
  take('index.html');
  take('src/pages/home/home.tsx');
  const gzipBytes = [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length,
    0,
  );
  return { files: [...files], gzipBytes };
}

await buildDashboardIfStale();
const { files, gzipBytes } = firstLoad();
console.error(
  `dashboard: ${gzipBytes} bytes compressed in ${files.length} files on first load (at most ${FIRST_LOAD_BYTES_MAX})`,
);
process.exitCode = gzipBytes <= FIRST_LOAD_BYTES_MAX ? 0 : 1;
