// Bundles the Worker into dist/edge/ and checks that it uses no Node-only module and stays under 1 MB compressed. Its
// static assets are written next to it.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { haveSourcesChanged } from './build.mjs';
import { buildDashboardIfStale, isDashboardStale } from './build-dashboard.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Written last. */
const WORKER = 'dist/edge/worker/worker.js';
const GZIP_BYTES_MAX = 1_000_000;

/** Whether any source is newer than the last build. @returns {boolean} */
export function isEdgeStale() {
  const others = ['scripts/build-edge.mjs', 'dist/.dashboard-built'];
  return isDashboardStale() || haveSourcesChanged(join(root, WORKER), others);
}

/** @returns {Promise<{ gzipBytes: number }>} */
export async function buildEdge() {
  const { contents, gzipBytes } = await bundleWorker('src/runtimes/cloudflare/edge.ts');
  await writeAssets(join(root, 'dist', 'edge', 'assets'));
  // Separate from the assets, because every file next to an unbundled Worker is deployed as part of it.
  const file = join(root, WORKER);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
  return { gzipBytes };
}

/** @param {string} folder */
async function writeAssets(folder) {
  const { contents } = await bundleWorker('src/runtimes/cloudflare/assets/make-assets.ts');
  const code = Buffer.from(contents).toString('base64');
  /** @type {{ makeAssets(): Record<string, string> }} */
  const { makeAssets } = await import(`data:text/javascript;base64,${code}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(makeAssets())) writeFileSync(join(folder, name), text);
  await buildDashboardIfStale();
  cpSync(join(root, 'dist', 'dashboard'), join(folder, 'dashboard'), { recursive: true });
}

/**
 * zod exports its messages in every language, but only the English ones are used. Parsing the others delays each start.
 * @type {import('esbuild').Plugin}
 */
const ENGLISH_ONLY = {
  name: 'english-only',
  setup({ onLoad }) {
    const languages = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
    onLoad({ filter: languages }, () => ({ contents: "export { default as en } from './en.js';" }));
  },
};

/** @param {string} entry @returns {Promise<{ contents: Uint8Array, gzipBytes: number }>} */
export async function bundleWorker(entry) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { worker: entry },
    outdir: 'dist/edge',
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2022',
    // What the platform itself provides, and Node's modules: those are rejected below, not bundled.
    external: ['cloudflare:*', 'node:*'],
    plugins: [ENGLISH_ONLY],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  refuseNode(metafile);
  const [bundle] = outputFiles;
  if (!bundle) throw new Error('nothing was bundled');
  const gzipBytes = gzipSync(bundle.contents).length;
  if (gzipBytes > GZIP_BYTES_MAX) throw new Error(`the Worker has ${gzipBytes} bytes compressed`);
  return { contents: bundle.contents, gzipBytes };
}

/** @param {import('esbuild').Metafile} metafile */
function refuseNode({ outputs }) {
  const foreign = Object.values(outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => isBuiltin(path) || !path.startsWith('cloudflare:'));
  if (foreign.length > 0) throw new Error(`the Worker would load ${[...new Set(foreign)].join(', ')}`);
}

// A pack while a test reads the bundle must not write it again.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && isEdgeStale()) {
  const { gzipBytes } = await buildEdge();
  console.log(`${WORKER}: ${gzipBytes} bytes compressed`);
}
