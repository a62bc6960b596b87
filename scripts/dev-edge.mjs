// `npm run dev:edge`: the edge engine on this machine, without an account or a network. Its state and secret stay in a
// folder, so that stored data is still there the next time.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { buildEdge } from './build-edge.mjs';
import { startEdge } from './edge-server.mjs';

const folder = process.env.SONDE_DATA ?? './sonde-edge';
const port = Number(process.env.SONDE_PORT ?? 8787);

/** @returns {string} */
function readOrCreateSecret() {
  const path = join(folder, 'secret.key');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path))
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return readFileSync(path, 'utf8').trim();
}

/** Returns the product's settings that were passed to this command. @returns {Record<string, string>} */
function given() {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('SONDE_') && name !== 'SONDE_DATA' && name !== 'SONDE_PORT' && value)
      found[name] = value;
  }
  return found;
}

await buildEdge();
const edge = await startEdge({
  stateFolder: join(folder, 'state'),
  port,
  variables: { SONDE_AUTH: 'none', SONDE_SECRET: readOrCreateSecret(), ...given() },
});
console.log(`Sonde's edge engine listens on ${edge.url} and keeps its state in ${folder}`);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void edge.stop().then(() => process.exit(0)));
}
