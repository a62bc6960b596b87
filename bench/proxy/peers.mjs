// What users would choose instead of Sonde: `resumable-stream` on Redis, and the Portkey gateway. Both are installed
// into .cache if they are missing, Redis with apt-get, and each installation prints a line.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beginRun, startNode, stopNode, track } from '../streams/processes.mjs';
import { pause } from '../streams/stats.mjs';
import { announced, beside } from './processes.mjs';

const CACHE = fileURLToPath(new URL('../../.cache/bench-peers', import.meta.url));
const PACKAGES = { 'resumable-stream': '2.2.13', redis: '6.3.1', '@portkey-ai/gateway': '1.15.2' };
const READY_MS = 20_000;

/** @typedef {{ url: string, pids: number[], headers: Record<string, string>, stop(): Promise<void> }} Peer */

/** @param {string} upstream @returns {Promise<Peer>} */
export async function startResumable(upstream) {
  installPackages();
  const redis = await startRedis();
  const child = startNode(beside('resumable-server'), [upstream, CACHE, `redis://127.0.0.1:${redis.port}`]);
  const { url } = await announced(child);
  return {
    url,
    pids: [pidOf(child), pidOf(redis.child)],
    headers: {},
    async stop() {
      await stopNode(child);
      await stopNode(redis.child);
    },
  };
}

/** @param {string} upstream @returns {Promise<Peer>} */
export async function startPortkey(upstream) {
  installPackages();
  const port = await freePort();
  const script = join(CACHE, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const child = startNode(script, [`--port=${port}`, '--headless']);
  const url = `http://127.0.0.1:${port}`;
  await untilResponding(url);
  return {
    url,
    pids: [pidOf(child)],
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` },
    stop: () => stopNode(child),
  };
}

function installPackages() {
  if (Object.keys(PACKAGES).every((name) => existsSync(join(CACHE, 'node_modules', name)))) return;
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  console.log(`proxy  installing ${wanted.join(', ')} into .cache`);
  mkdirSync(CACHE, { recursive: true });
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', '--prefix', CACHE, ...options, ...wanted], {
    stdio: 'ignore',
    timeout: 300_000,
  });
}

function installRedis() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
  } catch {
    console.log('proxy  installing redis-server by apt-get');
    execFileSync('apt-get', ['install', '-y', 'redis-server'], { stdio: 'ignore', timeout: 300_000 });
  }
}

/** Redis in its usual configuration for this: an append-only file, synced once per second. */
async function startRedis() {
  installRedis();
  const port = await freePort();
  const dir = mkdtempSync(join(beginRun(), 'redis-'));
  const options = { port, dir, bind: '127.0.0.1', appendonly: 'yes', appendfsync: 'everysec', save: '' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = track(spawn('redis-server', args, { stdio: 'ignore' }));
  return { port, child };
}

/** @param {string} url */
async function untilResponding(url) {
  const until = performance.now() + READY_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response) return;
    if (performance.now() > until) throw new Error(`${url} did not respond within ${READY_MS} ms`);
    await pause(50);
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** @param {import('node:child_process').ChildProcess} child */
function pidOf({ pid }) {
  if (pid === undefined) throw new Error('the process did not start');
  return pid;
}
