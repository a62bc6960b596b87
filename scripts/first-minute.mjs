// Follows a new user's path: clones this repository into an empty folder, with an empty HOME and an empty npm cache,
// and goes from `npm ci` to the result of each quickstart in the README. Prints the time of each step, and fails if one
// fails. The sites that it compares and audits, and the upstream, are on this machine.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isSite = process.argv.includes('--site');
const folder = isSite ? '' : mkdtempSync(join(tmpdir(), 'sonde-first-minute-'));
const clone = join(folder, 'sonde');
const HOME = join(folder, 'home');
/** How this machine reaches its registry; nothing else of the caller's environment is passed on. */
const passed = Object.entries(process.env).filter(([name]) => /^(?:PATH|(?:https?|no)_proxy)$/i.test(name));
const registry = isSite
  ? ''
  : execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const env = {
  ...Object.fromEntries(passed),
  HOME,
  npm_config_cache: join(HOME, 'cache'),
  npm_config_registry: registry,
};
const STEP_MS = 15 * 60_000;

let total = 0;

/** @param {string} name @param {number} startedAt @param {string} command */
function report(name, startedAt, command) {
  const seconds = (performance.now() - startedAt) / 1000;
  total += seconds;
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name.padEnd(14)} ${command.slice(0, 100)}`);
}

/**
 * @param {string} name
 * @param {string} command
 * @param {{ code?: number, shows?: RegExp, input?: string }} [expected]
 */
function step(name, command, { code = 0, shows = /(?:)/, input } = {}) {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: name === 'clone' ? folder : clone,
    env,
    encoding: 'utf8',
    timeout: STEP_MS,
    ...(input !== undefined && { input }),
  });
  report(name, startedAt, command);
  if (status !== code || !shows.test(stdout)) {
    throw new Error(
      `${command}: exit ${status} instead of ${code}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`,
    );
  }
  return stdout;
}

async function listen() {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title><p>hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { origin: `http://127.0.0.1:${port}` };
}

/** The steps block this process, so the site runs in another. */
function startSite() {
  const args = [fileURLToPath(import.meta.url), '--site'];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** @param {import('node:child_process').ChildProcess} site */
async function walk(site) {
  const origin = String(
    (await once(/** @type {import('node:stream').Readable} */ (site.stdout), 'data'))[0],
  ).trim();
  step('clone', `git clone -q "file://${root}" sonde`);
  step('install', 'npm ci');
  step('demo', 'npx sonde demo', { shows: /^✗ fail/ });
  step('compare', `npx sonde compare ${origin} ${origin} --allow-private ${origin}`, { shows: /^✓ pass/ });
  step('audit', `npx sonde audit ${origin} --allow-private ${origin} --fail-on never`, { shows: /grade/ });
  const startedAt = performance.now();
  const args = [
    'start',
    '--silent',
    '--',
    '--port',
    '0',
    '--json',
    '--auth',
    'none',
    '--proxy-allow',
    `private:${origin}/**`,
  ];
  const server = spawn('npm', args, { cwd: clone, env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = await once(/** @type {import('node:stream').Readable} */ (server.stdout), 'data');
    report('server', startedAt, 'npm start');
    const { url } = JSON.parse(String(line));
    step('LLM stream', `npx sonde proxy send ${origin}/v1/chat -d '{"stream":true}' --server ${url}`, {
      shows: /hello/,
    });
    step('stream create', `npx sonde stream create notes --content-type text/plain --server ${url}`);
    step('stream append', `npx sonde stream append notes --server ${url}`, { input: 'kept\n' });
    step('stream read', `npx sonde stream read notes --server ${url}`, { shows: /^kept$/m });
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  console.log(`${total.toFixed(1).padStart(7)} s  in total`);
}

if (isSite) {
  console.log((await listen()).origin);
} else {
  const site = startSite();
  try {
    await walk(site);
  } finally {
    site.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
