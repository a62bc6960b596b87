// Runs the built Worker in workerd on this machine, configured by wrangler.jsonc, without an account or a network.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLocalOptions } from './local-options.mjs';

/** @typedef {Awaited<ReturnType<import('miniflare').Miniflare['getDurableObjectNamespace']>>} DurableObjectNamespaceOf */

/**
 * @typedef {object} RunningEdge
 * @property {string} url
 * @property {() => Promise<string[]>} bucketKeys the keys in the bucket of cold segments
 * @property {(at: Date) => Promise<void>} sweep runs the platform's scheduled work as if it were that time
 * @property {(key: string, owner: string) => Promise<void>} litter puts a segment into the bucket that no stream holds
 * @property {(binding: string) => Promise<DurableObjectNamespaceOf>} objects an object's namespace by its binding
 * @property {() => Promise<void>} stop
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {object} configured @param {Record<string, object>} different */
function merged(configured, different) {
  const all = /** @type {Record<string, object>} */ ({ ...configured });
  for (const [queue, options] of Object.entries(different)) all[queue] = { ...all[queue], ...options };
  return all;
}

/** A Worker has no start-up, so invalid settings show only in its first response. @param {URL} url */
async function refuseWrongSettings(url) {
  const response = await askHealth(url, 5);
  if (response.ok) return;
  const { error } = /** @type {{ error: { code: string, message: string } }} */ (await response.json());
  throw Object.assign(new Error(error.message), { code: error.code });
}

/**
 * workerd closes a connection that was idle for five seconds, even if workerd had no time to read from it.
 * @param {URL} url
 * @param {number} attempts
 * @returns {Promise<Response>}
 */
async function askHealth(url, attempts) {
  const asked = fetch(new URL('/api/health', url));
  return attempts > 1 ? asked.catch(() => askHealth(url, attempts - 1)) : asked;
}

/**
 * Static assets as a separate service. As part of the Worker, the local engine would route every request through two
 * more Workers (docs/decisions/edge.md, 0042); the Worker is called first either way.
 * @param {import('./local-options.mjs').LocalOptions['assets']} assets
 */
function assetHolder({ directory, ...assets }) {
  return {
    name: 'sonde-assets',
    modules: true,
    script: `export default { fetch: (request, env) => env.${assets.binding}.fetch(request) }`,
    assets: { ...assets, directory: join(root, directory) },
  };
}

/** @returns {never} */
function refusePages() {
  throw new Error('the edge was started without pages');
}

/**
 * Splits the Worker in two: the second has the objects, which start the Workflows of the first.
 * @template {import('miniflare').WorkerOptions} Worker
 * @param {Worker & { name: string }} worker
 * @param {Uint8Array} contents
 */
function withObjectsApart(worker, contents) {
  const name = `${worker.name}-objects`;
  const { queueConsumers: _one, ...shared } = worker;
  return [
    { ...worker, durableObjects: inScript(worker.durableObjects, name) },
    {
      ...shared,
      name,
      modules: [{ type: /** @type {const} */ ('ESModule'), path: 'objects.js', contents }],
      workflows: inScript(worker.workflows, worker.name),
    },
  ];
}

/** @template {object | string} Bound @param {Record<string, Bound> | undefined} bindings @param {string} scriptName */
function inScript(bindings = {}, scriptName) {
  const all = Object.entries(bindings).map(([name, bound]) => [
    name,
    Object.assign({}, bound, { scriptName }),
  ]);
  return Object.fromEntries(all);
}

/**
 * @param {object} options
 * @param {Record<string, string>} options.variables what a deployment would bind as variables and secrets
 * @param {string} options.stateFolder where objects and buckets are stored
 * @param {number} [options.port] a free port by default
 * @param {Record<string, object>} [options.consumers] overrides for queue consumers, by queue
 * @param {boolean} [options.pages] whether there are static assets, which take a fifth of the processor time of a start
 * @param {Uint8Array} [options.bundle] a Worker to run instead of the built one, with the same bindings
 * @param {Uint8Array} [options.objects] a Worker whose objects replace its own, as during a deployment
 * @returns {Promise<RunningEdge>}
 */
export async function startEdge({
  variables,
  stateFolder,
  port = 0,
  bundle,
  objects: apart,
  consumers = {},
  pages = true,
}) {
  // Miniflare must not look up this machine's connection over the network.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= 'false';
  const { Miniflare } = await import('miniflare');
  const { own, assets, main } = await readLocalOptions();
  const holders = pages ? [assetHolder(assets)] : [];
  const worker = {
    ...own,
    name: 'sonde',
    modules: [
      {
        type: /** @type {const} */ ('ESModule'),
        path: join(root, main),
        ...(bundle && { contents: bundle }),
      },
    ],
    bindings: { ...own.bindings, ...variables },
    queueConsumers: merged(own.queueConsumers ?? {}, consumers),
    serviceBindings: { ...own.serviceBindings, [assets.binding]: holders[0]?.name ?? refusePages },
  };
  const miniflare = new Miniflare({
    workers: [...(apart ? withObjectsApart(worker, apart) : [worker]), ...holders],
    host: '127.0.0.1',
    port,
    cf: false,
    defaultPersistRoot: stateFolder,
  });
  try {
    const url = await miniflare.ready;
    await refuseWrongSettings(url);
    const bucketKeys = async () => {
      const bucket = await miniflare.getR2Bucket('COLD_SEGMENTS');
      return (await bucket.list()).objects.map(({ key }) => key);
    };
    /** @param {Date} at */
    const sweep = async (at) => {
      await (await miniflare.getWorker()).scheduled({ scheduledTime: at });
    };
    /** @param {string} key @param {string} stream */
    const litter = async (key, stream) => {
      const objects = await miniflare.getDurableObjectNamespace('HotBuffer');
      const bucket = await miniflare.getR2Bucket('COLD_SEGMENTS');
      const object = objects.idFromName(stream).toString();
      await bucket.put(key, 'left behind', { customMetadata: { object } });
    };
    /** @param {string} binding */
    const objects = (binding) => miniflare.getDurableObjectNamespace(binding);
    return { url: url.origin, bucketKeys, sweep, litter, objects, stop: () => miniflare.dispose() };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}
