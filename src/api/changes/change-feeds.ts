/** The change feeds of one process: one per tenant with readers. */
import type { JobStore, Tenant } from '../../jobs/index.js';
import type { Log } from '../../log.js';
import { type StreamState, tenantOf } from '../../streams/index.js';
import { type ChangePage, type ChangeSource, streamChange } from './change.js';
import { ChangeFeed } from './change-feed.js';

/** Short, so that a response ends soon after the server starts to shut down. */
const WAIT_MS = 1_000;

export interface FeedsDeps {
  readonly jobs: Pick<JobStore, 'get' | 'glance'>;
  readonly log: Log;
  readonly clock: () => number;
}

export class ChangeFeeds implements ChangeSource {
  readonly #deps: FeedsDeps;
  /** Keyed by slug, which is part of a stream's id. */
  readonly #feeds = new Map<string, ChangeFeed>();

  constructor(deps: FeedsDeps) {
    this.#deps = deps;
  }

  page(
    tenant: Tenant,
    { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
  ): Promise<ChangePage> {
    const feed = this.#feeds.get(tenant.slug) ?? this.#open(tenant);
    return feed.page(after, { waitMs: WAIT_MS, signal });
  }

  /** Called for every append, so it returns at once if there are no readers. */
  streamChanged = (state: StreamState): void => {
    if (this.#feeds.size === 0) return;
    const feed = this.#feeds.get(tenantOf(state) ?? '');
    feed?.note(streamChange(state.id, state));
  };

  stop(): void {
    for (const feed of this.#feeds.values()) feed.stop();
    this.#feeds.clear();
  }

  #open({ id, slug }: Tenant): ChangeFeed {
    const { jobs, log, clock } = this.#deps;
    const feed = new ChangeFeed({
      jobs: (limit) => jobs.glance(id, limit),
      job: (jobId) => jobs.get(id, jobId),
      log,
      clock,
      onIdle: () => this.#feeds.delete(slug),
    });
    this.#feeds.set(slug, feed);
    return feed;
  }
}
