// The parts of wrangler.jsonc that the local engine needs, without those that only a deployment can have. They are cached
// next to the build: loading wrangler, which reads the file, takes two seconds of processor time, more than starting the
// engine.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} LocalOptions with paths from the root
 * @property {import('miniflare').WorkerOptions} own
 * @property {{ binding: string, directory: string }} assets
 * @property {string} main
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const written = join(root, 'wrangler.jsonc');
const kept = join(root, 'dist', 'edge', 'local-options.json');

/** Call it after a build, which creates the folder. @returns {Promise<LocalOptions>} */
export async function readLocalOptions() {
  const keptAt = statSync(kept, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [written, join(root, 'package-lock.json')];
  if (sources.every((file) => keptAt > statSync(file).mtimeMs)) return JSON.parse(readFileSync(kept, 'utf8'));
  const options = await translate();
  // Renamed into place, because others may start an engine meanwhile.
  const whole = `${kept}.${process.pid}`;
  writeFileSync(whole, JSON.stringify(options));
  renameSync(whole, kept);
  return options;
}

/** Only deployments have it: the workerd of the pinned wrangler is older than the flag. */
const DEPLOYED_FLAG = 'durable_object_io_tasks_prevent_eviction';

/** @returns {Promise<LocalOptions>} */
async function translate() {
  // wrangler must not look for updates.
  process.env.WRANGLER_SEND_METRICS ??= 'false';
  process.env.WRANGLER_HIDE_BANNER ??= 'true';
  const { unstable_getMiniflareWorkerOptions: optionsOf } = await import('wrangler');
  const { workerOptions, main = '' } = optionsOf(written);
  // Workers AI runs only on Cloudflare: a local binding to it needs a login.
  const { assets, ai: _deployedOnly, ...own } = workerOptions;
  own.compatibilityFlags = own.compatibilityFlags?.filter(
    (/** @type {string} */ flag) => flag !== DEPLOYED_FLAG,
  );
  const { binding, routerConfig, directory = '' } = assets ?? {};
  if (!binding || routerConfig?.invoke_user_worker_ahead_of_assets !== true) {
    throw new Error('wrangler.jsonc: assets must be bound, and the Worker must run before them');
  }
  const placed = { ...assets, binding, directory: relative(root, directory) };
  return { own, assets: placed, main: relative(root, main) };
}
