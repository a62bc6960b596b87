// The builds whose processor time is compared: one server of each for each way to start it.
import { existsSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNode, stopNode } from '../streams/processes.mjs';
import { announcedUrl } from '../streams/servers.mjs';
import { prepare } from './work.mjs';

/** @typedef {import('../credentials.mjs').Credential} Credential */
/** @typedef {{ port: number, pid: number }} Server */
/** @typedef {{ name: string, serverFor(credential: Credential): Server, stop(): Promise<void> }} Side */

const OWN = fileURLToPath(new URL('../..', import.meta.url));
const SERVE = 'serve --port 0 --rate-per-minute 0 --log-level error --json'.split(' ');

/**
 * This checkout, and the one to compare it with. One build is there twice, so that the difference between those two
 * shows what chance does.
 * @param {string | undefined} against @returns {{ name: string, program: string }[]}
 */
export function builds(against) {
  const now = programIn(OWN);
  if (against === undefined)
    return [
      { name: 'now', program: now },
      { name: 'again', program: now },
    ];
  const before = programIn(resolve(against));
  return [
    { name: 'before', program: before },
    { name: 'again', program: before },
    { name: 'now', program: now },
  ];
}

/** @param {string} checkout */
function programIn(checkout) {
  const program = join(checkout, 'dist', 'sonde.js');
  if (existsSync(program)) return program;
  throw new Error(`${program} does not exist; run "node scripts/build.mjs" in ${checkout}`);
}

/**
 * @param {{ name: string, program: string }} build
 * @param {{ credentials: Credential[], upstream: string, folder: string }} how
 * @returns {Promise<Side>}
 */
export async function startSide({ name, program }, { credentials, upstream, folder }) {
  const routes = JSON.stringify({ up: { url: upstream, private: true, credential: 'caller' } });
  /** @type {Map<string[], Server>} */
  const servers = new Map();
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  for (const credential of credentials) {
    const { serverArgs } = credential;
    if (servers.has(serverArgs)) continue;
    const data = mkdtempSync(join(folder, `${name}-`));
    const child = startNode(program, [...SERVE, ...serverArgs, '--data', data, '--proxy-routes', routes]);
    children.push(child);
    const server = { port: Number((await announcedUrl(child)).port), pid: child.pid ?? 0 };
    servers.set(serverArgs, server);
    await prepare(server.port, credential);
  }
  return {
    name,
    serverFor({ serverArgs }) {
      const server = servers.get(serverArgs);
      if (server === undefined) throw new Error('no such server');
      return server;
    },
    async stop() {
      await Promise.all(children.map(stopNode));
    },
  };
}
