// Runs the built Worker in workerd on this machine, as wrangler.jsonc describes it, with no account and no network.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLocalOptions } from './local-options.mjs';

/** @typedef {Awaited<ReturnType<import('miniflare').Miniflare['getDurableObjectNamespace']>>} DurableObjectNamespaceOf */

/**
 * @typedef {object} RunningEdge
 * @property {string} url
 * @property {() => Promise<string[]>} bucketKeys what the bucket of cold segments holds
 * @property {(at: Date) => Promise<void>} sweep what the platform runs by the clock, as if it were then
 * @property {(key: string, owner: string) => Promise<void>} litter puts a segment into the bucket that nobody holds
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

/** A Worker has no start of its own: what is wrong with its settings shows at its first response. @param {URL} url */
async function refuseWrongSettings(url) {
  const response = await askHealth(url, 5);
  if (response.ok) return;
  const { error } = /** @type {{ error: { code: string, message: string } }} */ (await response.json());
  throw Object.assign(new Error(error.message), { code: error.code });
}

/**
 * workerd closes a connection on which nothing came for five seconds, also if it had no time to read.
 * @param {URL} url
 * @param {number} attempts
 * @returns {Promise<Response>}
 */
async function askHealth(url, attempts) {
  const asked = fetch(new URL('/api/health', url));
  return attempts > 1 ? asked.catch(() => askHealth(url, attempts - 1)) : asked;
}

/**
 * Static assets as a service of their own. Beside the Worker itself the local engine would lead every request through
 * two more Workers (docs/decisions/0042-edge-speed.md); the Worker is asked first either way.
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

/**
 * Two Workers in place of one: the second has the objects, which begin the Workflows of the first.
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
 * @param {string} options.stateFolder where objects and buckets are kept
 * @param {number} [options.port] a free one without it
 * @param {Record<string, object>} [options.consumers] what is different about the consumers of queues, by queue
 * @param {Uint8Array} [options.bundle] a Worker to run instead of the built one, with the same bindings
 * @param {Uint8Array} [options.objects] a Worker whose objects are used instead of its own, as while a deployment goes out
 * @returns {Promise<RunningEdge>}
 */
export async function startEdge({
  variables,
  stateFolder,
  port = 0,
  bundle,
  objects: apart,
  consumers = {},
}) {
  // It may not describe this machine's connection over the network.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= 'false';
  const { Miniflare } = await import('miniflare');
  const { own, assets, main } = await readLocalOptions();
  const holder = assetHolder(assets);
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
    serviceBindings: { ...own.serviceBindings, [holder.assets.binding]: holder.name },
  };
  const miniflare = new Miniflare({
    workers: [...(apart ? withObjectsApart(worker, apart) : [worker]), holder],
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
