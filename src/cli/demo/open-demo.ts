/** Both demo sites on loopback, each on a port of its own. */
import type { Runtime } from '../ports.js';
import { respondAsDemo } from './demo-site.js';

export interface OpenDemo {
  readonly staging: string;
  readonly production: string;
  close(): Promise<void>;
}

export async function openDemo(runtime: Pick<Runtime, 'listenLocally'>): Promise<OpenDemo> {
  let origin = '';
  const sites = { staging: () => origin };
  const staging = await runtime.listenLocally(({ path }) => respondAsDemo(path, 'staging', sites));
  origin = staging.origin;
  try {
    const production = await runtime.listenLocally(({ path }) => respondAsDemo(path, 'production', sites));
    return {
      staging: staging.origin,
      production: production.origin,
      async close() {
        await Promise.all([staging.close(), production.close()]);
      },
    };
  } catch (thrown) {
    await staging.close();
    throw thrown;
  }
}
