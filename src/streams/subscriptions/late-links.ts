/**
 * Writes the links of a subscription that matches too many streams for one commit, in small steps after its create. A
 * stream that changes before its turn is linked first, so that what it contained at the create still counts as
 * acknowledged. Pending links exist only in memory: after a crash, the next start links the missing streams, and those
 * are reported from their beginning.
 */
import { PacedSweep } from '../../paced-sweep.js';
import type { SubscriptionBase } from './subscription-deps.js';
import type { NewLink, SubscriptionKey } from './subscription-store.js';

const LINKS_PER_STEP = 250;
const AFTER_FAULT_MS = 1_000;

export interface LinkProgress {
  readonly linked: number;
  readonly total: number;
}

interface Linking {
  readonly left: Map<string, NewLink>;
  readonly total: number;
  readonly sweep: PacedSweep;
}

export class LateLinks {
  readonly #deps: Pick<SubscriptionBase, 'store' | 'log' | 'limits'>;
  readonly #linking = new Map<string, Linking>();

  constructor(deps: Pick<SubscriptionBase, 'store' | 'log' | 'limits'>) {
    this.#deps = deps;
  }

  /** `total` includes the links that were already written. `then` is called after the last one. */
  begin(
    key: SubscriptionKey,
    { links, total, then }: { links: readonly NewLink[]; total: number; then(): Promise<void> },
  ): void {
    const left = new Map(links.map((link) => [link.path, link]));
    const step = async () => {
      const some = [...left.values()].slice(0, LINKS_PER_STEP);
      await this.#save(key, some);
      for (const { path } of some) left.delete(path);
      if (left.size === 0) {
        await then();
        // It may have been removed and created again in the meantime.
        if (this.#linking.get(nameOf(key))?.left === left) this.forget(key);
      }
      return some.length;
    };
    const sweep = new PacedSweep({
      name: 'links of subscriptions',
      everyMs: AFTER_FAULT_MS,
      step,
      log: this.#deps.log,
    });
    this.forget(key);
    this.#linking.set(nameOf(key), { left, total, sweep });
    sweep.startNow();
  }

  progress(key: SubscriptionKey): LinkProgress | undefined {
    const linking = this.#linking.get(nameOf(key));
    return linking && { linked: linking.total - linking.left.size, total: linking.total };
  }

  /** Links those of the streams that are still pending. */
  async linkFirst(key: SubscriptionKey, paths: readonly string[]): Promise<void> {
    const left = this.#linking.get(nameOf(key))?.left;
    const early = left ? paths.flatMap((path) => left.get(path) ?? []) : [];
    await this.#save(key, early);
    for (const { path } of early) left?.delete(path);
  }

  forget(key: SubscriptionKey): void {
    void this.#linking.get(nameOf(key))?.sweep.stop();
    this.#linking.delete(nameOf(key));
  }

  async stop(): Promise<void> {
    const sweeps = [...this.#linking.values()].map(({ sweep }) => sweep);
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
  }

  async #save(key: SubscriptionKey, links: readonly NewLink[]): Promise<void> {
    if (links.length > 0) await this.#deps.store.link(key, links, this.#deps.limits.links);
  }
}

function nameOf({ tenant, id }: SubscriptionKey): string {
  return `${tenant}/${id}`;
}
