import { Miniflare } from 'miniflare';
import { bundleWorker } from '../../scripts/build-edge.mjs';

/** Starts a test Worker in workerd, bundled and checked like the product's. */
export async function startEdgeFixture(
  entry: string,
  options: {
    readonly objects?: Readonly<Record<string, string>>;
    readonly bindings?: Record<string, string>;
  },
): Promise<Miniflare> {
  const { contents } = await bundleWorker(`test/edge/workers/${entry}.ts`);
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents }],
    compatibilityDate: '2026-04-26',
    host: '127.0.0.1',
    cf: false,
    bindings: options.bindings ?? {},
    durableObjects: Object.fromEntries(
      Object.entries(options.objects ?? {}).map(([name, className]) => [
        name,
        { className, useSQLite: true },
      ]),
    ),
  });
  await miniflare.ready;
  return miniflare;
}
