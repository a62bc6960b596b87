/**
 * Serves the built dashboard from disk. Its files are listed once, so that a request cannot name any other path. Each
 * file is compressed at most once; all of them together take a few megabytes of memory.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DashboardFile, DashboardFiles } from '../../../api/routes/dashboard.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compress = promisify(gzip);

interface CachedFile {
  readonly plain: DashboardFile;
  readonly packed: DashboardFile;
}

/** `folder` ends with a slash. */
export function createDashboardFiles(folder: URL): DashboardFiles {
  let listed: Promise<ReadonlySet<string>> | undefined;
  const cached = new Map<string, Promise<CachedFile>>();
  return {
    async read(path, options) {
      listed ??= listFiles(folder);
      if (!(await listed).has(path)) return undefined;
      let file = cached.get(path);
      if (!file) {
        file = loadFile(folder, path);
        cached.set(path, file);
      }
      const { plain, packed } = await file;
      return options.gzip ? packed : plain;
    },
  };
}

async function listFiles(folder: URL): Promise<ReadonlySet<string>> {
  const [pages, assets] = await Promise.all([namesIn(folder), namesIn(new URL('assets/', folder))]);
  return new Set([...pages, ...assets.map((name) => `assets/${name}`)]);
}

async function namesIn(folder: URL): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile() && extname(entry.name) in TYPES).map(({ name }) => name);
}

async function loadFile(folder: URL, path: string): Promise<CachedFile> {
  const bytes = await readFile(new URL(path, folder));
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return {
    plain: { body: new Uint8Array(bytes), type },
    packed: { body: new Uint8Array(await compress(bytes)), type, encoding: 'gzip' },
  };
}
