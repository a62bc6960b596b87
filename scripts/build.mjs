// Bundles the published entry points into dist/. Chunks are split so that a command loads only what it runs. Types are
// emitted by `tsc -b`, not here.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildDashboardIfStale, foldersOfDashboard, isDashboardStale } from './build-dashboard.mjs';
import { licensesOf } from './licenses.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');
const SOURCES = ['src', 'packages/client/src'];

const ENTRIES = {
  index: 'src/index.ts',
  net: 'src/net/public.ts',
  'node-net': 'src/runtimes/node/net.ts',
  probe: 'src/runtimes/cloudflare/probe.ts',
  'node-probe': 'src/runtimes/node/probe.ts',
  compare: 'src/explain/public.ts',
  'node-compare': 'src/runtimes/node/compare-sites.ts',
  audit: 'src/runtimes/node/audit-site.ts',
};

/**
 * Threads share no memory with the program and gain nothing from its chunks, so each is one file with only the code
 * that it runs. As chunks shared with others, the store threads also loaded zod and parse5.
 */
const THREAD_ENTRIES = {
  'store-worker': 'src/runtimes/node/sqlite/store-worker.ts',
  'records-worker': 'src/runtimes/node/records/records-worker.ts',
  'document-worker': 'src/runtimes/node/audit/document-worker.ts',
  'request-worker': 'src/runtimes/node/server/request-worker.ts',
  'report-worker': 'src/runtimes/node/server/report-worker.ts',
};

/** What pages load: free of Node, small, and with one copy of the code that the two share. Also a package of its own. */
const CLIENT_ENTRIES = {
  dist: { client: 'packages/client/src/index.ts', 'client-ai-sdk': 'packages/client/src/ai-sdk.ts' },
  'packages/client/dist': {
    index: 'packages/client/src/index.ts',
    'ai-sdk': 'packages/client/src/ai-sdk.ts',
  },
};

/** @type {import('esbuild').BuildOptions} */
const EVERYWHERE = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** @type {import('esbuild').BuildOptions} */
const ON_NODE = { ...EVERYWHERE, platform: 'node', target: 'node20.19' };

/**
 * Bundled with its packages: finding and loading their 400 files took a third of the start-up time. Native and rarely
 * loaded packages stay outside.
 * @type {import('esbuild').BuildOptions}
 */
const PROGRAM = {
  ...ON_NODE,
  entryPoints: { sonde: 'src/runtimes/node/main.ts' },
  chunkNames: 'program/[name]-[hash]',
  splitting: true,
  packages: 'bundle',
  external: ['jiti', 'libsql', 'pg'],
  // CommonJS packages use it to load Node modules.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  sourcesContent: false,
  metafile: true,
};

/** Returns whether any source is newer than the last build. @returns {boolean} */
export function isStale() {
  return isDashboardStale() || isProgramStale();
}

/** @returns {boolean} */
function isProgramStale() {
  return haveSourcesChanged(stamp, ['scripts/build.mjs']);
}

/**
 * Returns whether a source, or one of these files, is newer than a file that a build wrote.
 * @param {string} built
 * @param {readonly string[]} others
 * @returns {boolean}
 */
export function haveSourcesChanged(built, others) {
  /** @type {number} */
  let builtAt;
  try {
    builtAt = statSync(built).mtimeMs;
  } catch {
    return true;
  }
  const inputs = ['package.json', ...others].map((file) => join(root, file));
  for (const folder of SOURCES) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) inputs.push(join(entry.parentPath, entry.name));
    }
  }
  return inputs.some((file) => statSync(file).mtimeMs > builtAt);
}

/** @returns {Promise<void>} */
export async function build() {
  await buildDashboardIfStale();
  // Loaded only if there is something to build, because `npm start` checks every time.
  const { build: bundle, stop } = await import('esbuild');
  for (const folder of ['dist/chunks', 'dist/program', 'packages/client/dist/chunks'])
    rmSync(join(root, folder), { recursive: true, force: true });
  const { metafile } = await bundle(PROGRAM);
  const bundled = [...Object.keys(metafile?.inputs ?? {}), ...foldersOfDashboard()];
  writeFileSync(join(root, 'dist', 'LICENSES.txt'), licensesOf(bundled, root));
  await bundle({ ...ON_NODE, entryPoints: ENTRIES, chunkNames: 'chunks/[name]-[hash]', splitting: true });
  await bundle({ ...ON_NODE, entryPoints: THREAD_ENTRIES });
  for (const [outdir, entryPoints] of Object.entries(CLIENT_ENTRIES)) {
    await bundle({
      ...EVERYWHERE,
      entryPoints,
      outdir,
      chunkNames: 'chunks/client-[hash]',
      splitting: true,
      minify: true,
      platform: 'browser',
      target: 'es2022',
    });
  }
  // esbuild keeps a helper process for the next build, which would live as long as the server that follows.
  await stop();
  writeFileSync(stamp, '');
}

/**
 * Bundles only the threads, into another folder and with a plugin that may change their sources.
 * @param {string} outdir
 * @param {import('esbuild').Plugin} plugin
 * @returns {Promise<Set<string>>} the files that they consist of
 */
export async function bundleThreads(outdir, plugin) {
  const { build: bundle } = await import('esbuild');
  const { metafile } = await bundle({
    ...ON_NODE,
    entryPoints: THREAD_ENTRIES,
    outdir,
    plugins: [plugin],
    metafile: true,
    sourcemap: false,
  });
  return new Set(Object.keys(metafile?.inputs ?? {}).map((file) => join(root, file)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
