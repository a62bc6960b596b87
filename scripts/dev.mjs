// `npm run dev`: runs the server and the dashboard. A change in src/ rebuilds and restarts the server; a change in
// dashboard/ appears in the page without loading it again. Arguments for the server go after `--`.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createServer } from 'vite';
import { build, isStale } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'dist', 'sonde.js');
const SETTLE_MS = 200;
/** Works as long as this process runs: each visit gets a login code of its own. */
const LOGIN = `/login/${randomBytes(16).toString('base64url')}`;

const args = process.argv.slice(2);
const options = /** @type {const} */ ({ port: { type: 'string' }, data: { type: 'string' } });
const { port = process.env['SONDE_PORT'] ?? '4747', data } = parseArgs({
  args,
  options,
  strict: false,
}).values;
const pages = await servePages(`http://127.0.0.1:${port}`);
const address = new URL(pages.resolvedUrls?.local[0] ?? '').origin;
/** The pages are the server's public address, because it refuses requests that pages of other origins cause. */
const env = {
  ...process.env,
  SONDE_PUBLIC_URL: address,
  ...(typeof data === 'string' && { SONDE_DATA: data }),
};

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
let isBuilding = false;
let isStopping = false;

function start() {
  const child = spawn(process.execPath, [program, 'serve', '--json', ...args], {
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  server = child;
  // The server's own login link works once; the one of the dashboard stays.
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { event, url } = JSON.parse(line);
    if (event === 'listening') console.error(`server: ${url}\ndashboard: ${address}${LOGIN}`);
  });
}

/** @param {string} target @returns {Promise<import('vite').ViteDevServer>} */
async function servePages(target) {
  const folder = join(root, 'dashboard');
  const vite = await createServer({
    configFile: join(folder, 'vite.config.ts'),
    root: folder,
    cacheDir: join(root, '.cache', 'vite'),
    logLevel: 'warn',
    plugins: [{ name: 'sonde:dev', configureServer }],
    server: { host: '127.0.0.1', proxy: { '^/(?!ui(?:/|$)|login/)': { target } } },
  });
  return vite.listen();
}

/** @param {import('vite').ViteDevServer} vite */
function configureServer({ middlewares }) {
  middlewares.use(LOGIN, login);
  middlewares.use((request, _response, next) => {
    // Vite knows its base with a slash only.
    if (request.url) request.url = request.url.replace(/^\/ui(?=$|\?)/, '/ui/');
    next();
  });
}

/** @type {import('vite').Connect.SimpleHandleFunction} */
function login(_request, response) {
  promisify(execFile)(process.execPath, [program, 'login'], { env }).then(
    ({ stdout }) => response.writeHead(302, { location: stdout.trim() }).end(),
    // Without authentication there is nothing to log in to.
    () => response.writeHead(302, { location: '/ui/' }).end(),
  );
}

/** @returns {Promise<void>} */
function stop() {
  const child = server;
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function rebuild() {
  if (isBuilding || isStopping || !isStale()) return;
  isBuilding = true;
  try {
    console.error('building…');
    await build();
    await stop();
    if (!isStopping) start();
  } catch {
    // esbuild has printed why; the next change tries again.
    console.error('the build failed; the last one keeps running');
  } finally {
    isBuilding = false;
  }
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    isStopping = true;
    void Promise.all([stop(), pages.close()]).then(() => process.exit(0));
  });
}
if (isStale()) await build();
start();
/** @type {NodeJS.Timeout | undefined} */
let timer;
watch(join(root, 'src'), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => void rebuild(), SETTLE_MS);
});
