/** Starts the demo's sites on loopback, each on its own port. */
import type { LocalHandler, LocalSite, Runtime } from '../ports.js';
import { respondAsModel } from './demo-model.js';
import { respondAsDemo } from './demo-site.js';
import { respondAsFaultySite } from './faulty-site.js';

export interface OpenDemo {
  /** Two deployments of one shop. */
  readonly staging: string;
  readonly production: string;
  /** A site with planted faults. */
  readonly site: string;
  /** A model that streams tokens. */
  readonly model: string;
  close(): Promise<void>;
}

export async function openDemo(runtime: Pick<Runtime, 'listenLocally'>): Promise<OpenDemo> {
  const open: LocalSite[] = [];
  const close = async () => void (await Promise.all(open.map((site) => site.close())));
  const listen = async (handler: LocalHandler): Promise<string> => {
    const site = await runtime.listenLocally(handler);
    open.push(site);
    return site.origin;
  };
  try {
    // Pages contain origins, which are known once the sites listen.
    const origins = { staging: '', site: '' };
    const shops = { staging: () => origins.staging };
    origins.staging = await listen(({ path }) => respondAsDemo(path, 'staging', shops));
    origins.site = await listen(({ path }) => respondAsFaultySite(path, origins.site));
    return {
      ...origins,
      production: await listen(({ path }) => respondAsDemo(path, 'production', shops)),
      model: await listen(respondAsModel),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
