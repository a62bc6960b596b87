/**
 * The entry point to subscriptions: it combines the protocol operations and the wakes that appends cause. A host
 * provides a store, streams, a guarded webhook sender, a signing key and a clock.
 */

import { NO_TENANT_LIMITS, type ReadTenantLimits } from '../tenant-limits.js';
import { createSubscription, noSubscription, viewSubscription } from './create-subscription.js';
import { allLinks, linksByName, noteLinks, noteMatches } from './follow-streams.js';
import { LateLinks } from './late-links.js';
import { acknowledgeWake, claimWake, type HolderCall, releaseWake } from './settle-wake.js';
import { readStreamPath, splitStreamId } from './stream-path.js';
import type { SubscriptionBase, SubscriptionDeps } from './subscription-deps.js';
import { SubscriptionIndex } from './subscription-index.js';
import { DEFAULT_SUBSCRIPTION_LIMITS, type SubscriptionLimits } from './subscription-limits.js';
import { readFields, readStreams, tooLarge } from './subscription-requests.js';
import type { SubscriptionKey, SubscriptionRecord } from './subscription-store.js';
import { type DeliveryFigures, WakeRunner } from './wake-runner.js';
import type { WebhookPublicJwk } from './webhook-ports.js';
import { openUrl } from './webhook-url.js';

export interface SubscriptionServiceOptions
  extends Omit<
    SubscriptionBase,
    'limits' | 'index' | 'lateLinks' | 'random' | 'publicUrl' | 'tenantLimits' | 'steady'
  > {
  /** `clock` by default. */
  readonly steady?: () => number;
  readonly limits?: Partial<SubscriptionLimits>;
  readonly random?: () => number;
  readonly tenantLimits?: ReadTenantLimits;
  readonly publicUrl?: string;
}

/** The subscription operations that every engine offers. */
export type SubscriptionOperations = Pick<
  SubscriptionService,
  | 'create'
  | 'view'
  | 'remove'
  | 'addStreams'
  | 'removeStream'
  | 'claim'
  | 'callback'
  | 'ack'
  | 'release'
  | 'jwks'
>;

const PAGE = 500;

export class SubscriptionService {
  readonly #deps: SubscriptionDeps;
  #catchingUp: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor({
    limits,
    random = Math.random,
    publicUrl,
    tenantLimits = NO_TENANT_LIMITS,
    steady,
    ...given
  }: SubscriptionServiceOptions) {
    const complete = { ...DEFAULT_SUBSCRIPTION_LIMITS, ...limits };
    const index = new SubscriptionIndex();
    const base: SubscriptionBase = {
      ...given,
      steady: steady ?? given.clock,
      limits: complete,
      random,
      publicUrl,
      index,
      lateLinks: new LateLinks({ store: given.store, log: given.log, limits: complete }),
      tenantLimits,
    };
    this.#deps = { ...base, runner: new WakeRunner(base) };
  }

  create = (key: SubscriptionKey, request: { readonly body: Uint8Array; readonly baseUrl: string }) =>
    createSubscription(this.#deps, key, request);
  view = (key: SubscriptionKey) => viewSubscription(this.#deps, key);
  claim = (key: SubscriptionKey, body: Uint8Array) => claimWake(this.#deps, key, body);
  callback = (call: HolderCall) => acknowledgeWake(this.#deps, 'callback', call);
  ack = (call: HolderCall) => acknowledgeWake(this.#deps, 'ack', call);
  release = (call: HolderCall) => releaseWake(this.#deps, call);

  get deliveries(): DeliveryFigures {
    return this.#deps.runner.figures;
  }

  get jwks(): { readonly keys: readonly WebhookPublicJwk[] } {
    return { keys: [this.#deps.signer.publicJwk] };
  }

  async remove(key: SubscriptionKey): Promise<void> {
    const { store, index, runner, lateLinks } = this.#deps;
    index.remove(key);
    runner.forget(key);
    lateLinks.forget(key);
    await store.remove(key);
    // A create that was still in progress may have added it to the index again.
    if (await store.get(key)) return;
    index.remove(key);
    runner.forget(key);
  }

  async addStreams(key: SubscriptionKey, body: Uint8Array): Promise<void> {
    const { store, streams, index, runner, limits, tenantLimits } = this.#deps;
    const paths = readStreams(readFields(body), limits.streamsPerRequest);
    const { subscriptionEntries = limits.indexEntries } = await tenantLimits(key.tenant);
    index.demandRoom(key.tenant, paths.length, subscriptionEntries);
    const outcome = await store.link(key, await linksByName(streams, key.tenant, paths), limits.links);
    if (outcome === 'missing') throw noSubscription();
    if (outcome === 'full') {
      throw tooLarge(`a subscription can follow at most ${limits.links} streams`, limits.links);
    }
    for (const path of paths) index.link(key, path);
    const entry = index.find(key);
    if (!entry) return;
    // Appends between the check and the link were missed.
    for (const path of paths) runner.note(entry, path);
  }

  async removeStream(key: SubscriptionKey, text: string): Promise<void> {
    const { store, index } = this.#deps;
    const path = readStreamPath(text, 'stream');
    if (!(await store.get(key))) throw noSubscription();
    index.unlink(key, path);
    const entry = index.find(key);
    await store.unlink(key, path, entry !== undefined && index.follows(entry, path));
  }

  /** Call it when a stream was created, appended to or removed. Cheap without followers. */
  readonly onStreamChanged = (id: string): void => {
    const { index, runner } = this.#deps;
    const name = splitStreamId(id);
    if (!name) return;
    for (const entry of index.following(name.tenant, name.path)) runner.note(entry, name.path);
  };

  follows(id: string): boolean {
    const name = splitStreamId(id);
    return name !== undefined && this.#deps.index.following(name.tenant, name.path).length > 0;
  }

  /** Resolves when all changes from before this call are in the store. */
  async settled(): Promise<void> {
    await this.#catchingUp;
    await this.#deps.runner.catchUp();
  }

  /** Resolves when new appends are noticed. Changes that were missed earlier are then found in the background. */
  async start(): Promise<void> {
    const records: SubscriptionRecord[] = [];
    for await (const record of this.#all()) {
      const named: string[] = [];
      for await (const { path, explicit } of allLinks(this.#deps, record)) if (explicit) named.push(path);
      this.#deps.index.add(record, named);
      records.push(record);
    }
    for (const record of records) this.#deps.runner.follow(record);
    this.#catchingUp = this.#catchUp(records);
  }

  /** How many of the first `max` webhooks have a URL that no key of this server opens. */
  async countUnreadable(max: number): Promise<number> {
    let [seen, unreadable] = [0, 0];
    for await (const record of this.#all()) {
      if (record.webhookSealed === null) continue;
      if (++seen > max) break;
      if ((await openUrl(this.#deps, record)) === null) unreadable++;
    }
    return unreadable;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#deps.lateLinks.stop();
    await this.#deps.runner.stop();
    await this.#catchingUp;
  }

  async *#all(): AsyncGenerator<SubscriptionRecord> {
    for (let after: SubscriptionKey | null = null; ; ) {
      const page: readonly SubscriptionRecord[] = await this.#deps.store.list(after, PAGE);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = { tenant: last.tenant, id: last.id };
    }
  }

  async #catchUp(records: readonly SubscriptionRecord[]): Promise<void> {
    const deps = this.#deps;
    for (const record of records) {
      await this.#attempt(record.tenant, () => noteLinks(deps, record));
    }
    for (const tenant of deps.index.tenants) {
      for (const prefix of deps.index.prefixes(tenant)) {
        await this.#attempt(tenant, () => noteMatches(deps, tenant, prefix));
      }
    }
  }

  /** A failure does not prevent the others from catching up. */
  async #attempt(tenant: string, act: () => Promise<void>): Promise<void> {
    if (this.#stopping) return;
    try {
      await act();
    } catch (error) {
      if (!this.#stopping)
        this.#deps.log.warn('subscriptions could not be brought up to date', { tenant, err: error });
    }
  }
}
